import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { serialize } from "node:v8";
import { Cache } from "../../../../cache/mod.ts";
import { kvStores, type KvStoresOptions } from "../../../../data/kv/mod.ts";
import { createLogger } from "../../../../mod.ts";
import { digestOf } from "../../../../runtime/addon.ts";
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
  const [a, b, tag] = ["a", "b", "t"].map(digestOf);
  assertEquals(new Set(keysOf(kv)), new Set([`value ${a}`, `value ${b}`]));
  const days = 86_400_000;
  const expiries = [...kv.held.values()].map(({ expireIn }) => expireIn);
  assertEquals(expiries, [1_000, 30 * days]);
  const [entry] = kv.held.values();
  assertEquals(entry?.key, ["fw", "cache", "test", "value", a ?? ""]);
  await open().invalidate("t");
  const mark = [...kv.held.values()].find(({ key }) => key[3] === "mark");
  // It outlives every entry that was made before it.
  assertEquals([mark?.key[4], mark?.expireIn], [`tag:${tag}`, 31 * days]);
});

Deno.test("the cache of kvStores: a KV that keeps an entry for longer changes nothing", async () => {
  const { open } = openKv();
  const fn = counter();
  const key = { name: "a", ttlMs: 1_000 };
  await open().do(key, fn);
  clock.now += 1_000;
  assertEquals([await open().do(key, fn), await open().do(key, fn)], [2, 2]);
});

const written = { value: serialize({ value: 1, tags: [] }), marks: { all: "" }, expiresAt: 9e15 };
const foreign: [name: string, value: unknown][] = [
  ["a text", "value"],
  ["null", null],
  ["a number", 5],
  ["bytes", new Uint8Array(5)],
  ["an empty object", {}],
  ["no value", { ...written, value: undefined }],
  ["a value of other bytes", { ...written, value: new Uint8Array(5) }],
  ["no expiry", { ...written, expiresAt: undefined }],
  ["a malformed expiry", { ...written, expiresAt: "9" }],
  ["an expiry of NaN", { ...written, expiresAt: NaN }],
  ["no marks", { ...written, marks: null }],
  ["marks without that of the cache", { ...written, marks: {} }],
  ["another version", { ...written, marks: { all: "1" } }],
  ["a malformed version", { ...written, marks: { all: 7 } }],
];

for (const [name, value] of foreign) {
  Deno.test(`the cache of kvStores: what it did not write is a miss, and is written over: ${name}`, async () => {
    const { kv, open } = openKv();
    kv.put(["fw", "cache", "test", "value", digestOf("a")], value);
    const fn = counter();
    assertEquals([await open().do({ name: "a" }, fn), await open().do({ name: "a" }, fn)], [1, 1]);
  });
}

Deno.test("the cache of kvStores: an entry with as many tags as a cache takes is kept", async () => {
  const { kv, open } = openKv();
  const tags = Array.from({ length: 100 }, (_, at) => `tag ${at}`);
  await open().do({ name: "a", tags }, () => 1);
  assertEquals(kv.held.size, 1);
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

Deno.test("the cache of kvStores: clear leaves nothing but marks, and other caches alone", async () => {
  const { kv, open } = openKv();
  for (const name of ["test", "other"]) {
    for (let at = 0; at < 3; at++) await open(name).do({ name: `${at}`, tags: ["t"] }, () => name);
  }
  await open().delete("0");
  assertEquals(kv.held.size, 6);
  await open().clear();
  const left = [...kv.held.values()].filter(({ key }) => key[2] === "test");
  assertEquals(left.map(({ key }) => key[3]), ["mark", "mark"]);
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
  for (const name of texts) {
    await open().invalidate(name);
    assertEquals(await open().do({ name }, () => -1), -1);
  }
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
      ], [0, "second", "second"]],
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
      ], ["begun", 0, "old", "new", "new"]],
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
        await one.ask("do", "filled 999", [], "anew"),
      ], [1_000, 0, "anew"]],
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
