import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { Cache, type CacheOptions, type CacheStore } from "../../cache/mod.ts";
import { kvStores } from "../../data/kv/mod.ts";
import { raw } from "../../html/mod.ts";
import { createLogger, type Logger } from "../../mod.ts";
import { CacheMetrics, counter, Gate, openCache, outcome } from "./support.ts";
import { MemoryKv } from "../data/kv/memory_kv.ts";
import { until } from "../until.ts";

/** Returns a store with replaceable parts; by default it is empty and accepts every write. */
function openStore(parts: Partial<CacheStore> = {}): CacheStore {
  return {
    read: () => Promise.resolve({ kind: "miss", version: 1 }),
    write: () => Promise.resolve(),
    invalidate: () => Promise.resolve(0),
    delete: () => Promise.resolve(),
    clear: () => Promise.resolve(),
    ...parts,
  };
}

function openLog(): { log: Logger; lines: () => string[] } {
  let text = "";
  const log = createLogger({ write: (more) => void (text += more) });
  return { log, lines: () => text.split("\n").slice(0, -1) };
}

type Replicas = { one: Cache; two: Cache; kv: MemoryKv; clock: { now: number } };

function openReplicas(options: Partial<CacheOptions> = {}): Replicas {
  const kv = new MemoryKv();
  const clock = { now: 1_000_000 };
  const now = (): number => clock.now;
  const open = (): Cache => {
    const store = kvStores(kv, { now }).cache;
    return new Cache({ name: "test", now, store, ...options });
  };
  return { one: open(), two: open(), kv, clock };
}

const drops: [name: string, drop: (cache: Cache) => Promise<unknown>][] = [
  ["invalidate", (cache) => cache.invalidate("t")],
  ["delete", (cache) => cache.delete("a")],
  ["clear", (cache) => cache.clear()],
];

const key = { name: "a", ttlMs: 10_000, tags: ["t", "u"] };

Deno.test("store: replicas share a value", async () => {
  const { one, two, clock } = openReplicas();
  const fn = counter();
  assertEquals([await one.do(key, fn), await two.do(key, fn), await one.do(key, fn)], [1, 1, 1]);
  clock.now += 9_999;
  assertEquals(await two.do(key, fn), 1);
  clock.now += 1;
  assertEquals([await two.do(key, fn), one.size, two.size], [2, 0, 0]);
});

for (const [name, drop] of drops) {
  Deno.test(`store: ${name} invalidates a value that another replica is computing`, async () => {
    const { one, two } = openReplicas();
    const gate = new Gate<string>();
    const before = one.do(key, gate.fn);
    // Wait until the replica has read the store and runs its function.
    await until(() => gate.runs.length > 0);
    await drop(two);
    gate.open(0, "old");
    assertEquals(await before, "old");
    assertEquals(await two.do(key, () => "new"), "new");
    assertEquals(await one.do(key, () => "newer"), "new");
  });

  Deno.test(`store: ${name} invalidates a value that another replica is writing`, async () => {
    const { one, two, kv } = openReplicas();
    let commits = 0;
    kv.beforeCommit = async (): Promise<void> => {
      // The first commit claims the value, and the second one writes it.
      if (++commits === 2) await drop(two);
    };
    assertEquals(await one.do(key, () => "old"), "old");
    assertEquals(await two.do(key, () => "new"), "new");
  });

  Deno.test(`store: ${name} by the same process drops the near copy at once`, async () => {
    const { one } = openReplicas({ nearMs: 5_000 });
    const fn = counter();
    assertEquals([await one.do(key, fn), one.size], [1, 1]);
    const done = drop(one);
    assertEquals(one.size, 0);
    // A value read before the store's invalidation may be stale: it is returned but not kept near.
    await one.do(key, fn);
    await done;
    assertEquals([one.size, await one.do(key, fn)], [0, 2]);
  });

  Deno.test(`store: ${name} rejects if the store fails, after dropping the near copy`, async () => {
    const fail = (): Promise<never> => Promise.reject(new Error("down"));
    const store = openStore({ invalidate: fail, delete: fail, clear: fail });
    const { cache } = openCache({ store, nearMs: 5_000 });
    await cache.do(key, () => 1);
    assertEquals(cache.size, 1);
    await assertRejects(() => drop(cache), Error, "down");
    assertEquals(cache.size, 0);
  });

  Deno.test(`store: ${name} times out after timeoutMs, after dropping the near copy`, async () => {
    const hang = (): Promise<never> => new Promise(() => {});
    const store = openStore({ invalidate: hang, delete: hang, clear: hang });
    const { cache } = openCache({ store, nearMs: 5_000, timeoutMs: 20 });
    const done = assertRejects(
      () => drop(cache),
      DOMException,
      'Cannot drop values of the cache "test": its store took more than 20 ms (timeoutMs)',
    );
    // Kept near during the store's call: it may be a value that the store has since dropped.
    await cache.do(key, () => 1);
    await done;
    assertEquals(cache.size, 0);
  });
}

Deno.test("store: a failing logger does not block the value", async () => {
  const fail = (): never => {
    throw new Error("no log");
  };
  const log: Logger = { debug: fail, info: fail, warn: fail, error: fail, with: () => log };
  const store = openStore({ read: () => Promise.reject(new Error("down")) });
  const { cache } = openCache({ store, log });
  assertEquals(await cache.do(key, () => 1), 1);
});

Deno.test("store: concurrent callers share a claim, its reads and one write", async () => {
  const { one, kv } = openReplicas();
  const fn = counter();
  await Promise.all(Array.from({ length: 20 }, () => one.do(key, fn)));
  assertEquals([fn.runs, kv.counts], [1, { reads: 3, commits: 3 }]);
});

Deno.test("store: an error of the function is thrown and not cached", async () => {
  const { one, two } = openReplicas();
  await assertRejects(() => one.do(key, () => Promise.reject(new Error("no"))), Error, "no");
  assertEquals(await two.do(key, () => 5), 5);
});

Deno.test("nearMs: limits how long a value invalidated by another replica is still returned", async () => {
  const { one, two, clock, kv } = openReplicas({ nearMs: 1_000 });
  const fn = counter();
  await one.do(key, fn);
  await two.do(key, fn);
  const { reads } = kv.counts;
  clock.now += 999;
  assertEquals([await one.do(key, fn), await two.do(key, fn), kv.counts.reads], [1, 1, reads]);
  await one.invalidate("t");
  assertEquals([await two.do(key, fn), await one.do(key, fn)], [1, 2]);
  clock.now += 1;
  assertEquals(await two.do(key, fn), 2);
});

Deno.test("nearMs: a value invalidated during the read is returned but not cached", async () => {
  const rows: [invalidated: string[], tags: string[] | undefined, size: number][] = [
    [["w"], ["w"], 0],
    [[], ["w"], 1],
    [["w"], ["t"], 1],
    [["t"], undefined, 0],
  ];
  for (const [invalidated, tags, size] of rows) {
    const gate = Promise.withResolvers<void>();
    const read: CacheStore["read"] = async () => {
      await gate.promise;
      return { kind: "hit", value: "old", leftMs: 10_000, ...(tags === undefined ? {} : { tags }) };
    };
    const { cache } = openCache({ store: openStore({ read }), nearMs: 5_000 });
    const reading = cache.do(key, () => "made");
    for (const tag of invalidated) await cache.invalidate(tag);
    gate.resolve();
    assertEquals([await reading, cache.size], ["old", size]);
  }
});

Deno.test("nearMs: a value has the store's tags and the caller's", async () => {
  const rows: [stored: { tags?: string[] }, tags: string][] = [
    [{}, "tu"],
    [{ tags: ["w", "t", "w"] }, "tuw"],
  ];
  for (const [stored, tags] of rows) {
    const read: CacheStore["read"] = () =>
      Promise.resolve({ kind: "hit", value: "stored", leftMs: 10_000, ...stored });
    for (const tag of tags) {
      const { cache } = openCache({ store: openStore({ read }), nearMs: 5_000 });
      await cache.do(key, () => "made");
      await cache.invalidate("elsewhere");
      assertEquals(cache.size, 1);
      await cache.invalidate(tag);
      assertEquals(cache.size, 0);
    }
  }
});

Deno.test("nearMs: a value is not returned after it expires", async () => {
  const { one, two, clock } = openReplicas({ nearMs: 1_000 });
  const fn = counter();
  await one.do({ name: "a", ttlMs: 100 }, fn);
  clock.now += 60;
  assertEquals(await two.do({ name: "a", ttlMs: 100 }, fn), 1);
  clock.now += 39;
  assertEquals([await one.do(key, fn), await two.do(key, fn)], [1, 1]);
  clock.now += 1;
  assertEquals(await two.do({ name: "a", ttlMs: 100 }, fn), 2);
});

const failures: [name: string, parts: Partial<CacheStore>, done: string, error: string][] = [
  ["reading fails", { read: () => Promise.reject(new Error("down")) }, "read", "down"],
  [
    "reading throws",
    {
      read: () => {
        throw new Error("closed");
      },
    },
    "read",
    "closed",
  ],
  ["reading hangs", { read: () => new Promise(() => {}) }, "read", "more than 20 ms"],
  ["writing fails", { write: () => Promise.reject(new Error("full")) }, "written", "full"],
  ["writing hangs", { write: () => new Promise(() => {}) }, "written", "more than 20 ms"],
];

for (const [name, parts, done, error] of failures) {
  Deno.test(`store: if its ${name}, values are computed and one line is logged`, async () => {
    const { log, lines } = openLog();
    const { cache } = openCache({ store: openStore(parts), storeTimeoutMs: 20, log });
    const fn = counter();
    assertEquals([await cache.do(key, fn), await cache.do(key, fn)], [1, 2]);
    const [line = "", ...more] = lines();
    assertEquals(more, []);
    const { level, msg, cache: label, failures, error: shown } = JSON.parse(line);
    const text = `a value of the cache was not ${done}: its store failed`;
    assertEquals([level, msg, label, failures], ["warn", text, "test", 1]);
    assert(JSON.stringify(shown).includes(error), line);
  });
}

Deno.test("store: a value computed after a failed read is not written", async () => {
  let writes = 0;
  const store = openStore({
    read: () => Promise.reject(new Error("down")),
    write: () => Promise.resolve(void writes++),
  });
  const { cache } = openCache({ store, log: openLog().log });
  assertEquals([await cache.do(key, () => 1), writes], [1, 0]);
});

Deno.test("store: a value that its own process invalidated is not written", async () => {
  let writes = 0;
  const { cache } = openCache({
    store: openStore({ write: () => Promise.resolve(void writes++) }),
  });
  const fn = async (): Promise<number> => {
    await cache.invalidate("t");
    return 1;
  };
  assertEquals([await cache.do(key, fn), writes], [1, 0]);
});

const unsharable: [name: string, value: unknown, error: string][] = [
  ["a node", raw("<b>"), 'Cannot share "a" of the cache "test": a store keeps data'],
  ["a Response", new Response("a"), 'Cannot keep "a" of the cache "test": a Response'],
];

for (const [name, value, error] of unsharable) {
  Deno.test(`store: refuses ${name}`, async () => {
    const { cache } = openCache({ store: openStore() });
    await assertRejects(() => cache.do(key, () => value), TypeError, error);
  });
}

Deno.test("store: returns the computed value itself to the caller that ran the function", async () => {
  const { one, two } = openReplicas();
  const value = { at: new Date(0), set: new Set([1]), absent: undefined };
  assertStrictEquals(await one.do(key, () => value), value);
  assertEquals(await two.do(key, () => ({})), value);
});

Deno.test("store: the metrics count the store's hits as hits", async () => {
  const metrics = new CacheMetrics();
  const { one, two } = openReplicas({ metrics: metrics.registry });
  await one.do(key, () => 1);
  await two.do(key, () => 1);
  await Promise.all([two.do(key, () => 1), two.do(key, () => 1)]);
  await outcome(one.do({ name: "b" }, () => Promise.reject(new Error())));
  assertEquals(metrics.of("test"), [3, 2, 0, 0]);
});

Deno.test("store: one deadline covers reading, computing and writing", async () => {
  const { cache } = openCache({ store: openStore(), timeoutMs: 20 });
  const text = 'TimeoutError: "a" of the cache "test" did not come within 20 ms';
  assertEquals(await outcome(cache.do(key, () => new Promise(() => {}))), text);
});
