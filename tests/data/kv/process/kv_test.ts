import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { Cache, type CacheKey } from "../../../../cache/mod.ts";
import { type KvListed, kvStores, type KvStoresOptions } from "../../../../data/kv/mod.ts";
import { createLogger } from "../../../../mod.ts";
import { counter } from "../../../cache/support.ts";
import { MemoryKv } from "../memory_kv.ts";

const clock = { now: 1_000_000 };
const now = (): number => clock.now;

interface Opened {
  readonly kv: MemoryKv;
  readonly open: (name?: string, options?: KvStoresOptions) => Cache;
}

function openKv(): Opened {
  const kv = new MemoryKv();
  return {
    kv,
    open: (name = "test", options = {}) =>
      new Cache({ name, now, store: kvStores(kv, { now, ...options }).cache }),
  };
}

/** The keys that are held, without prefix and name of the cache. */
function keysOf({ held }: MemoryKv): string[] {
  return [...held.values()].map(({ key }) => key.slice(3).join(" ")).toSorted();
}

Deno.test("the cache of kvStores: keeps values for their lifetime", async () => {
  const { kv, open } = openKv();
  await open().do({ name: "a", ttlMs: 1_000, tags: ["t"] }, () => ({ value: 1 }));
  await open().do({ name: "b" }, () => 2);
  assertEquals(keysOf(kv), ["entry text a", "entry text b", "row text t text a"]);
  const days = 86_400_000;
  const expiries = [...kv.held.values()].map(({ expireIn }) => expireIn);
  assertEquals(expiries, [1_000, 1_000, 30 * days]);
  const [entry] = kv.held.values();
  assertEquals(entry?.key, ["fw", "cache", "test", "entry", "text", "a"]);
  await open().invalidate("t");
  const mark = [...kv.held.values()].find(({ key }) => key[3] === "tag");
  // It outlives every entry that was made before it.
  assertEquals([keysOf(kv), mark?.expireIn], [["entry text b", "tag text t"], 31 * days]);
});

Deno.test("the cache of kvStores: a KV that keeps an entry for longer changes nothing", async () => {
  const { open } = openKv();
  const fn = counter();
  const key = { name: "a", ttlMs: 1_000 };
  await open().do(key, fn);
  clock.now += 1_000;
  assertEquals([await open().do(key, fn), await open().do(key, fn)], [2, 2]);
});

const foreign: [name: string, value: unknown][] = [
  ["a text", "value"],
  ["null", null],
  ["a number", 5],
  ["bytes", new Uint8Array(5)],
  ["an empty object", {}],
  ["no value", { expiresAt: 9e15, cleared: null, tags: [] }],
  ["no expiry", { value: 1, cleared: null, tags: [] }],
  ["an expiry that is none", { value: 1, expiresAt: "9", cleared: null, tags: [] }],
  ["an expiry of NaN", { value: 1, expiresAt: NaN, cleared: null, tags: [] }],
  ["no tags", { value: 1, expiresAt: 9e15, cleared: null }],
  ["tags without versions", { value: 1, expiresAt: 9e15, cleared: null, tags: ["t"] }],
  ["tags of numbers", { value: 1, expiresAt: 9e15, cleared: null, tags: [[1, null]] }],
  ["a version that is none", { value: 1, expiresAt: 9e15, cleared: 7, tags: [] }],
  ["another version", { value: 1, expiresAt: 9e15, cleared: "1", tags: [] }],
  ["a deleted one", "deleted"],
];

for (const [name, value] of foreign) {
  Deno.test(`the cache of kvStores: what it did not write is a miss, and is written over: ${name}`, async () => {
    const { kv, open } = openKv();
    kv.put(["fw", "cache", "test", "entry", "text", "a"], value);
    const fn = counter();
    assertEquals([await open().do({ name: "a" }, fn), await open().do({ name: "a" }, fn)], [1, 1]);
  });
}

Deno.test("the cache of kvStores: an entry with as many tags as a cache takes is kept", async () => {
  const { kv, open } = openKv();
  const tags = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
  await open().do({ name: "a", tags }, () => 1);
  assertEquals(kv.held.size, 101);
  assertEquals(await open().do({ name: "a", tags }, () => 2), 1);
  await open().invalidate("tag 99");
  assertEquals(await open().do({ name: "a", tags }, () => 3), 3);
});

Deno.test("the cache of kvStores: an entry counts by the tags that it was written with", async () => {
  const { open } = openKv();
  const fn = counter();
  const many = Array.from({ length: 25 }, (_, at) => `tag ${at}`);
  const rows: [written: string[], asked: string[], invalidated: string, run: number][] = [
    [["t"], [], "t", 2],
    [["t"], ["u"], "u", 1],
    [[], ["u"], "u", 1],
    [many, [], "tag 24", 2],
    [many, many, "tag 0", 2],
    [["t", "t"], ["t"], "t", 2],
  ];
  for (const [written, asked, invalidated, run] of rows) {
    await open().clear();
    fn.runs = 0;
    await open().do({ name: "a", tags: written }, fn);
    assertEquals(await open().do({ name: "a", tags: asked }, fn), 1);
    await open().invalidate(invalidated);
    assertEquals(await open().do({ name: "a", tags: asked }, fn), run);
  }
});

const counts: [name: string, keys: CacheKey[], tags: string[], dropped: number][] = [
  ["one of two", [{ name: "a", tags: ["t"] }, { name: "b", tags: ["u"] }], ["t"], 1],
  ["an entry with both tags once", [{ name: "a", tags: ["t", "u"] }], ["t", "u"], 1],
  ["an entry with a tag twice once", [{ name: "a", tags: ["t", "t"] }], ["t"], 1],
  ["a tag twice", [{ name: "a", tags: ["t"] }], ["t", "t"], 1],
  ["none", [{ name: "a", tags: ["t"] }], ["x"], 0],
  ["no tag", [{ name: "a", tags: ["t"] }], [], 0],
  [
    "more than a commit takes",
    Array.from({ length: 250 }, (_, at) => ({ name: `${at}`, tags: ["t"] })),
    ["t"],
    250,
  ],
];

for (const [name, keys, tags, dropped] of counts) {
  Deno.test(`the cache of kvStores: invalidate counts and removes what it drops: ${name}`, async () => {
    const { kv, open } = openKv();
    for (const key of keys) await open().do(key, () => 1);
    assertEquals(await open().invalidate(...tags), dropped);
    const left = keysOf(kv).filter((key) => key.startsWith("entry"));
    assertEquals(left.length, keys.length - dropped);
    assertEquals(await open().invalidate(...tags), 0);
  });
}

Deno.test("the cache of kvStores: removed values no longer count", async () => {
  const { kv, open } = openKv();
  const key = { name: "a", ttlMs: 1_000, tags: ["t"] };
  await open().do(key, () => 1);
  await open().delete("a");
  assertEquals(await open().invalidate("t"), 0);
  await open().do(key, () => 1);
  clock.now += 1_000;
  assertEquals(await open().invalidate("t"), 0);
  // The entry has another tag now, and only its row tells of the old one.
  await open().do(key, () => 1);
  clock.now += 1_000;
  await open().do({ name: "a", tags: ["u"] }, () => 2);
  assertEquals(await open().invalidate("t"), 0);
  assertEquals(await open().do({ name: "a", tags: ["u"] }, () => 3), 2);
  assertEquals(keysOf(kv), ["entry text a", "row text u text a", "tag text t"]);
});

for (const moment of [1, 2]) {
  Deno.test(`the cache of kvStores: an entry that was written after the invalidation stays, ${moment}`, async () => {
    const { kv, open } = openKv();
    const key = { name: "a", tags: ["t"] };
    await open().do(key, () => "old");
    let lists = 0;
    const write = async (): Promise<void> => {
      if (++lists === moment) await open().do(key, () => "new");
    };
    // Between the new version of the tag and the reading of its rows, or between that and their removal.
    const list = kv.list.bind(kv);
    kv.list = async function* (selector): AsyncGenerator<KvListed> {
      await write();
      for await (const listed of list(selector)) {
        await write();
        yield listed;
      }
    };
    assertEquals(await open().invalidate("t"), 0);
    assertEquals(await open().do(key, () => "newer"), "new");
  });
}

Deno.test("the cache of kvStores: clear leaves nothing but its mark, and other caches alone", async () => {
  const { kv, open } = openKv();
  for (const name of ["test", "other"]) {
    for (let at = 0; at < 3; at++) await open(name).do({ name: `${at}`, tags: ["t"] }, () => name);
  }
  await open().clear();
  const left = [...kv.held.values()].filter(({ key }) => key[2] === "test");
  assertEquals(left.map(({ key }) => key), [["fw", "cache", "test", "cleared"]]);
  assertEquals(await open("other").do({ name: "0" }, () => "new"), "other");
  assertEquals(await open().do({ name: "0" }, () => "new"), "new");
});

Deno.test("the cache of kvStores: caches and prefixes are apart", async () => {
  const { open } = openKv();
  const caches = [open("a"), open("b"), open("a", { prefix: "b" })];
  for (const [at, cache] of caches.entries()) {
    assertEquals(await cache.do({ name: "n", tags: ["t"] }, () => at), at);
  }
  await caches[0]?.invalidate("t");
  for (const [at, cache] of caches.entries()) {
    assertEquals(await cache.do({ name: "n", tags: ["t"] }, () => 9), at === 0 ? 9 : at);
  }
});

Deno.test("the cache of kvStores: every string is a valid, distinct key and tag", async () => {
  const { kv, open } = openKv();
  const texts = ["", "\0", "\ud800", "\ud801", "\ufffd", "é", "e\u0301", "__proto__", "a/b"];
  for (const chars of [200, 201, 512, 513, 100_000]) {
    texts.push("é".repeat(chars), "é".repeat(chars - 1) + "x");
  }
  for (const [at, name] of texts.entries()) {
    await open().do({ name, tags: [name] }, () => at);
  }
  for (const [at, name] of texts.entries()) {
    assertEquals(await open().do({ name }, () => -1), at);
  }
  for (const { key } of kv.held.values()) {
    assert(key.join("").length < 700 && key.every((part) => part.isWellFormed()));
  }
  for (const name of texts) assertEquals(await open().invalidate(name), 1);
});

Deno.test("the cache of kvStores: what cannot be cloned is given to its callers, with a warning", async () => {
  let lines = "";
  const log = createLogger({ write: (text) => void (lines += text) });
  const store = kvStores(new MemoryKv()).cache;
  const cache = new Cache({ name: "test", store, log });
  const fn = counter();
  const value = { fn };
  assertEquals(await cache.do({ name: "a" }, () => value), value);
  assert(lines.includes("was not written") && lines.includes("could not be cloned"), lines);
});

Deno.test("kvStores: the shared suite, in a process with the real Deno KV", async () => {
  const suite = fromFileUrl(new URL("../stores_process.ts", import.meta.url));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--unstable-kv", suite],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success && Number(/(\d+) passed/.exec(text)?.[1]) > 20, text);
});

class Replica implements AsyncDisposable {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: ReadableStreamDefaultReader<string>;
  #rest = "";

  constructor(path: string) {
    const script = fromFileUrl(new URL("../cache_process.ts", import.meta.url));
    this.#child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--unstable-kv", script, path],
      env: { NO_COLOR: "1" },
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  async ask(command: string, ...args: unknown[]): Promise<unknown> {
    await this.#input.write(new TextEncoder().encode(`${JSON.stringify([command, ...args])}\n`));
    while (!this.#rest.includes("\n")) {
      const { value, done } = await this.#lines.read();
      if (done) throw new Error(`the process ended during ${command}`);
      this.#rest += value;
    }
    const [line = "", ...rest] = this.#rest.split("\n");
    this.#rest = rest.join("\n");
    return JSON.parse(line);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#input.close();
    await this.#lines.cancel();
    await this.#child.status;
  }
}

Deno.test("the cache of kvStores: two processes with one real Deno KV", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "fw_kv_" });
  try {
    await using one = new Replica(`${folder}/kv.sqlite`);
    await using two = new Replica(`${folder}/kv.sqlite`);
    const rows: [name: string, run: () => Promise<unknown[]>, wanted: unknown[]][] = [
      ["share a value", async () => [
        await one.ask("do", "a", ["t"], "first"),
        await two.ask("do", "a", ["t"], "second"),
      ], ["first", "first"]],
      ["see an invalidation at once", async () => [
        await two.ask("invalidate", "t"),
        await one.ask("do", "a", ["t"], "second"),
        await two.ask("do", "a", ["t"], "third"),
      ], [1, "second", "second"]],
      ["see a deletion and a clearing at once", async () => [
        await one.ask("delete", "a"),
        await two.ask("do", "a", ["t"], "third"),
        await two.ask("clear"),
        await one.ask("do", "a", ["t"], "fourth"),
      ], [null, "third", null, "fourth"]],
      ["void what the other one is making", async () => [
        await one.ask("begin", "b", ["t"]),
        await two.ask("invalidate", "t"),
        await one.ask("end", "old"),
        await two.ask("do", "b", ["t"], "new"),
        await one.ask("do", "b", ["t"], "newer"),
      ], ["begun", 1, "old", "new", "new"]],
      ["void what the other one is making under a deleted name", async () => [
        await one.ask("begin", "c", []),
        await two.ask("delete", "c"),
        await one.ask("end", "old"),
        await two.ask("do", "c", [], "new"),
        await one.ask("do", "c", [], "newer"),
      ], ["begun", null, "old", "new", "new"]],
      ["make what is larger than 64 KiB anew, without a warning", async () => [
        await one.ask("large", 60_000),
        await two.ask("large", 60_000),
        await one.ask("large", 70_000),
        await two.ask("large", 70_000),
        await one.ask("warnings"),
      ], ["made", "found", "made", "made", 0]],
      ["get data as it was", async () => [await one.ask("types"), await two.ask("types")], [
        "made Map,Set,Date,bigint,undefined,Uint8Array",
        "found Map,Set,Date,bigint,undefined,Uint8Array",
      ]],
      ["invalidate a thousand", async () => [
        await one.ask("fill", 1_000, "many"),
        await two.ask("invalidate", "many"),
        await two.ask("invalidate", "many"),
      ], [1_000, 1_000, 0]],
      ["go on without a closed KV, with a warning", async () => [
        await two.ask("close"),
        await two.ask("do", "a", ["t"], "anew"),
        await two.ask("warnings"),
        await two.ask("invalidate", "t"),
      ], [null, "anew", 1, "failed"]],
    ];
    for (const [name, run, wanted] of rows) {
      await t.step(name, async () => assertEquals(await run(), wanted));
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
