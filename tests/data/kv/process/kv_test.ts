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

/** Returns the stored keys, without the prefix and the name of the cache. */
function keysOf({ held }: MemoryKv): string[] {
  return [...held.values()].map(({ key }) => key.slice(3).join(" ")).toSorted();
}

Deno.test("kvStores cache: keeps values until they expire", async () => {
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
  // The mark outlives every entry from before it.
  assertEquals([mark?.key[4], mark?.expireIn], [`tag:${tag}`, 31 * days]);
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
  ["marks without the cache's own", { ...written, marks: {} }],
  ["another version", { ...written, marks: { all: "1" } }],
  ["a malformed version", { ...written, marks: { all: 7 } }],
];

for (const [name, value] of foreign) {
  Deno.test(`kvStores cache: treats a foreign entry as a miss and overwrites it: ${name}`, async () => {
    const { kv, open } = openKv();
    kv.put(["fw", "cache", "test", "value", digestOf("a")], value);
    const fn = counter();
    assertEquals([await open().do({ name: "a" }, fn), await open().do({ name: "a" }, fn)], [1, 1]);
  });
}

Deno.test("kvStores cache: clear leaves only marks, and keeps other caches", async () => {
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

Deno.test("kvStores cache: separates caches and prefixes", async () => {
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

Deno.test("kvStores cache: returns a value that cannot be cloned, with a warning", async () => {
  let lines = "";
  const log = createLogger({ write: (text) => void (lines += text) });
  const store = kvStores(new MemoryKv()).cache;
  const cache = new Cache({ name: "test", store, log });
  const fn = counter();
  const value = { fn };
  assertEquals(await cache.do({ name: "a" }, () => value), value);
  assert(lines.includes("was not written") && lines.includes("could not be cloned"), lines);
});

Deno.test("kvStores: passes the shared suite in a process with the real Deno KV", async () => {
  const suite = fromFileUrl(new URL("../stores_process.ts", import.meta.url));
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--no-check", "--unstable-kv", suite],
    env: { NO_COLOR: "1" },
  }).output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  assert(success && Number(/(\d+) passed/.exec(text)?.[1]) > 20, text);
});
