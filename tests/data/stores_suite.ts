/** The contract of every engine's stores; each engine's test runs it. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { createAttempts, type Passkey } from "../../auth/mod.ts";
import { Cache } from "../../cache/mod.ts";
import { App, NoTimeout, Off, type Stores } from "../../mod.ts";
import { storeSuite } from "../auth/store_suite.ts";
import { tokenSuite } from "../auth/token_suite.ts";
import { replica, testChannels } from "../runtime/base/stores/channel_suite.ts";

/** Two replicas with the same stores. */
export interface OpenStores<S = Required<Omit<Stores, "channels">>> {
  readonly one: S;
  readonly other: S;
  /** Runs work in a transaction of the first replica, if it is a database. */
  readonly tx?: (work: () => Promise<void>) => Promise<void>;
  close(): void | Promise<void>;
}

export type OpenAll<S> = (now: () => number) => Promise<OpenStores<S>>;

export function passkey(id: string, changes: Partial<Passkey> = {}): Passkey {
  return {
    id,
    subject: "42",
    userHandle: "handle",
    publicKey: { kty: "EC" },
    signCount: 0,
    isBackupEligible: false,
    isBackedUp: false,
    label: "Firefox on Linux",
    createdAtMs: 1,
    usedAtMs: 1,
    challengedAtMs: 0,
    ...changes,
  };
}

/** Opens a cache that waits for its store, since a slow machine would compute values again. */
function openCache(name: string, { cache }: Pick<Stores, "cache">): Cache {
  return new Cache({ name, storeTimeoutMs: NoTimeout, ...(cache && { store: cache }) });
}

const entry = { cache: "stored", name: "n", tags: ["t"] };

/** Writes an entry and reads it. */
async function store(
  { cache }: Required<Pick<Stores, "cache">>,
  { value = 1, ttlMs = 60_000 }: { readonly value?: unknown; readonly ttlMs?: number },
): Promise<string> {
  const { version } = await cache.read(entry) as { readonly version: unknown };
  await cache.write(entry, { value, ttlMs, version });
  return (await cache.read(entry)).kind;
}

const rows: readonly [
  name: string,
  run: (at: OpenStores & { clock: { now: number } }) => Promise<void>,
][] = [
  [
    "a limit is shared, and 100 concurrent calls take exactly the allowed tokens",
    async ({ one, other }) => {
      const limit = { rate: 0.01, burst: 30 };
      const takes = Array.from(
        { length: 100 },
        (_, n) => (n % 2 === 0 ? one : other).limits.take("api 192.0.2.1", limit),
      );
      const waits = await Promise.all(takes);
      assertEquals(waits.filter((ms) => ms === 0).length, 30);
      assert(waits.every((ms) => ms === 0 || (ms > 90_000 && ms <= 100_000)), String(waits));
      assertEquals(await other.limits.take("api 192.0.2.2", limit), 0);
    },
  ],
  ["ten of 40 concurrent attempts pass, and limits count separately", async ({ one, other }) => {
    const replicas = [one, other].map(({ attempts }) => createAttempts({ store: attempts }));
    const app = new App({ logRequest: Off });
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, at) => replicas[at % 2]?.take(app, "address ada")),
    );
    assertEquals(waits.filter((ms) => ms === 0).length, 10);
    assertEquals(await replicas[0]?.take(app, "address bob"), 0);
    assertEquals(await one.limits.take("address ada", { rate: 0.1, burst: 10 }), 0);
  }],
  ["a bucket fills again", async ({ one, other, clock }) => {
    const limit = { rate: 4, burst: 1 };
    const startMs = performance.now();
    assertEquals(await one.limits.take("k", limit), 0);
    for (let waitMs = 1; waitMs > 0;) {
      waitMs = await other.limits.take("k", limit);
      assert(waitMs <= 250, String(waitMs));
      // Some engines count by their own clock.
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      clock.now += waitMs;
    }
    assert(performance.now() - startMs >= 249);
  }],
  ["one of 50 replicas that use a ticket concurrently gets it", async ({ one, other }) => {
    const takes = Array.from(
      { length: 50 },
      (_, n) => (n % 2 === 0 ? one : other).once.take("ticket 1", 60_000),
    );
    assertEquals((await Promise.all(takes)).filter((isFirst) => isFirst).length, 1);
    assert(await other.once.take("ticket 2", 60_000));
  }],
  ["passkeys: the limit is exact, and a response counts once", async ({ one, other }) => {
    const added = await Promise.all(
      Array.from(
        { length: 8 },
        (_, n) => (n % 2 === 0 ? one : other).passkeys.add(passkey(`k${n}`), { max: 3 }),
      ),
    );
    assertEquals(added.filter((outcome) => outcome === "added").length, 3);
    const [first] = await one.passkeys.list("42");
    assert(first);
    assertEquals(await other.passkeys.find(first.id), first);
    assertEquals(await other.passkeys.add(first, { max: 9 }), "exists");
    const stranger = passkey("z", { userHandle: "other" });
    assertEquals(await other.passkeys.add(stranger, { max: 9 }), "handle");
    const use = {
      signCount: 1,
      isBackupEligible: true,
      isBackedUp: true,
      usedAtMs: 5,
      challengedAtMs: 5,
    };
    const uses = await Promise.all([one, other].map(({ passkeys }) => passkeys.use(first.id, use)));
    assertEquals(uses.filter((isNoted) => isNoted).length, 1);
    assertEquals(await one.passkeys.find(first.id), { ...first, ...use });
    assertFalse(await one.passkeys.remove("someone", first.id));
    assert(await one.passkeys.remove("42", first.id));
    assertEquals(await other.passkeys.find(first.id), undefined);
  }],
  [
    "a cache shares values of every type, and an invalidation reaches all replicas",
    async ({ one, other }) => {
      const [a, b] = [openCache("events", one), openCache("events", other)];
      const value = { at: new Date(0), ids: new Map([[1n, "ü"]]) };
      const key = { name: "list", ttlMs: 60_000, tags: ["events"] };
      assertEquals(await a.do(key, () => value), value);
      assertEquals(await b.do(key, () => ({ ...value, ids: new Map() })), value);
      for (const drop of [() => a.invalidate("events"), () => a.delete("list"), () => a.clear()]) {
        await drop();
        const found = await b.do(key, () => ({ ...value, at: new Date(1) }));
        assertEquals(found, { ...value, at: new Date(1) });
        await b.clear();
        await a.do(key, () => value);
      }
    },
  ],
  ["one of the replicas that miss a value concurrently computes it", async ({ one, other }) => {
    const replicas = [one, other, one, other].map((stores) => openCache("race", stores));
    let made = 0;
    const make = async (): Promise<number> => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      return ++made;
    };
    const read = (name: string): Promise<number[]> =>
      Promise.all(replicas.map((cache) => cache.do({ name, ttlMs: 60_000 }, make)));
    assertEquals(await read("a"), [1, 1, 1, 1]);
    await replicas[0]?.delete("a");
    assertEquals(await read("a"), [2, 2, 2, 2]);
    // A replica that fails leaves the value to another.
    const begun = Promise.withResolvers<void>();
    const fail = replicas[0]?.do({ name: "b", ttlMs: 60_000 }, async () => {
      begun.resolve();
      await new Promise((resolve) => setTimeout(resolve, 30));
      throw new Error("no database");
    });
    await begun.promise;
    const [failed, ...others] = await Promise.allSettled([
      fail,
      ...[1, 3].map((at) => replicas[at] ?? replicas[0]).map((cache) =>
        cache?.do({ name: "b", ttlMs: 60_000 }, make)
      ),
    ]);
    assertEquals(failed?.status, "rejected");
    assertEquals([others.map((outcome) => outcome.status), made], [Array(2).fill("fulfilled"), 3]);
  }],
  ["a value computed before an invalidation is never returned", async ({ one, other }) => {
    const key = { cache: "c", name: "n", tags: ["t"] };
    const drops = [
      () => other.cache.invalidate("c", ["t"]),
      () => other.cache.delete("c", ["n"]),
      () => other.cache.clear("c"),
    ];
    // Each drop also as the second of its kind.
    for (const drop of [...drops, ...drops]) {
      const found = await one.cache.read(key);
      assertEquals(found.kind, "miss");
      await drop();
      const version = found.kind === "miss" ? found.version : undefined;
      await one.cache.write(key, { value: "stale", ttlMs: 60_000, version });
      assertEquals((await other.cache.read({ ...key, tags: [] })).kind, "miss");
    }
  }],
  ["an entry of a cache keeps the tags it was written with", async ({ one, other }) => {
    const open = (stores: Pick<Stores, "cache">): Cache => openCache("tags", stores);
    const many = Array.from({ length: 25 }, (_, at) => `tag ${at}`);
    const rows: [written: string[], asked: string[], invalidated: string, isKept: boolean][] = [
      [["t"], [], "t", false],
      [["t"], ["u"], "u", true],
      [[], ["u"], "u", true],
      [many, [], "tag 24", false],
      [many, many, "tag 0", false],
      [["t", "t"], ["t"], "t", false],
    ];
    for (const [at, [written, asked, invalidated, isKept]] of rows.entries()) {
      const read = (cache: Cache, tags: readonly string[], value: string): Promise<string> =>
        cache.do({ name: `${at}`, ttlMs: 60_000, tags }, () => value);
      assertEquals(await read(open(one), written, "first"), "first");
      assertEquals(await read(open(other), asked, "second"), "first");
      await open(one).invalidate(invalidated);
      assertEquals(await read(open(other), asked, "third"), isKept ? "first" : "third");
    }
  }],
  ["every string is a valid, distinct name and tag of a cache", async ({ one }) => {
    const open = (): Cache => openCache("names", one);
    const texts = ["", "\0", "\ud800", "\ud801", "\ufffd", "é", "e\u0301", "__proto__", "a/b"];
    for (const chars of [200, 513]) texts.push("é".repeat(chars), "é".repeat(chars - 1) + "x");
    const read = (name: string, value: number): Promise<number> =>
      open().do({ name, ttlMs: 60_000, tags: [name] }, () => value);
    for (const [at, name] of texts.entries()) assertEquals(await read(name, at), at);
    for (const [at, name] of texts.entries()) {
      assertEquals(await read(name, -1), at);
      await open().invalidate(name);
      assertEquals(await read(name, -2), -2);
    }
  }],
  ["a value of more than 1 MiB is not stored", async ({ one }) => {
    assertEquals(await store(one, { value: "x".repeat(1_048_576) }), "miss");
  }],
  ["dropping values of a cache keeps those of another", async ({ one }) => {
    assertEquals(await store(one, {}), "hit");
    await one.cache.invalidate("dropped", ["t"]);
    await one.cache.delete("dropped", ["n"]);
    await one.cache.clear("dropped");
    assertEquals((await one.cache.read(entry)).kind, "hit");
  }],
  ["a value without a lifetime is stored", async ({ one }) => {
    assertEquals(await store(one, { ttlMs: Infinity }), "hit");
  }],
  ["expired entries are removed", async ({ one, clock }) => {
    assertEquals(await store(one, { ttlMs: 1_000 }), "hit");
    clock.now += 1_001;
    assertEquals((await one.cache.read(entry)).kind, "miss");
  }],
  [
    "an entry first stored in a rolled-back transaction can be stored later",
    async ({ one, tx }) => {
      const limit = { rate: 1, burst: 5 };
      const undone = tx?.(async () => {
        await one.limits.take("first", limit);
        throw new Error("undone");
      });
      await undone?.catch(() => {});
      assertEquals(await one.limits.take("first", limit), 0);
    },
  ],
  ["the check passes", async ({ one }) => {
    await one.check(AbortSignal.timeout(5_000));
  }],
];

/** A client that closes its connections after `close` needs disabled sanitizers. */
export type SuiteOptions = Pick<Deno.TestDefinition, "sanitizeOps" | "sanitizeResources">;

export function testStores(
  engine: string,
  open: OpenAll<Required<Stores>>,
  options: SuiteOptions = {},
): void {
  testStoresAlone(engine, open, options);
  testStoreChannels(engine, open, options);
}

/** Registers the suite without channels. */
export function testStoresAlone(
  engine: string,
  open: OpenAll<Required<Omit<Stores, "channels">>>,
  options: SuiteOptions = {},
): void {
  const test = (name: string, fn: () => Promise<void>): void =>
    Deno.test({ ...options, name: `${engine}: ${name}`, fn });
  for (const [name, run] of rows) test(name, () => use(open, run));
  for (const [name, run] of tokenSuite) {
    test(`tokens: ${name}`, () =>
      use(open, ({ one, other, clock }) => run({ ...one, other: other.tokens, clock })));
  }
  // The largest test runs on the session stores only.
  for (const { name, run } of storeSuite.filter(({ name }) => !name.startsWith("ten thousand"))) {
    test(name, () =>
      run(async (now) => {
        const { one, other, close } = await open(now);
        return { store: one.sessions, other: other.sessions, close };
      }));
  }
}

/** Runs the part of the suite that depends most on the client. */
export function testStoreChannels(
  engine: string,
  open: OpenAll<Required<Stores>>,
  options: SuiteOptions = {},
): void {
  testChannels(
    engine,
    (run) => use(open, ({ one, other }) => run(replica(one), replica(other))),
    options,
  );
}

async function use<S>(
  open: OpenAll<S>,
  run: (at: OpenStores<S> & { clock: { now: number } }) => Promise<void>,
): Promise<void> {
  const clock = { now: start };
  const opened = await open(() => clock.now);
  try {
    await run({ ...opened, clock });
  } finally {
    await opened.close();
  }
}

const start = Date.now();
