import { assertEquals, assertRejects } from "@std/assert";
import { Cache } from "../../../cache/mod.ts";
import { type KvAtomic, kvStores } from "../../../data/kv/mod.ts";
import { testCuts } from "../cut_suite.ts";
import { testStoresAlone } from "../stores_suite.ts";
import { MemoryKv } from "./memory_kv.ts";

testStoresAlone("Deno KV, imitated", (now) => {
  const kv = new MemoryKv();
  const open = () => kvStores(kv, { now });
  return Promise.resolve({ one: open(), other: open(), close: () => {} });
});

testCuts("kvStores", (step) => {
  const kv = new MemoryKv();
  const atomic = (): KvAtomic => {
    const operation = kv.atomic();
    const commit = operation.commit.bind(operation);
    return Object.assign(operation, { commit: () => step(commit) });
  };
  return kvStores({
    get: (key) => step(() => kv.get(key)),
    getMany: (keys) => step(() => kv.getMany(keys)),
    list: (selector) => kv.list(selector),
    atomic,
  });
});

Deno.test("kvStores cache: clear removes the entries in a few commits", async () => {
  const kv = new MemoryKv();
  const { cache } = kvStores(kv);
  for (let at = 0; at < 1_200; at++) {
    const key = { cache: "c", name: String(at), tags: [] };
    const { version } = await cache.read(key) as { readonly version: unknown };
    await cache.write(key, { value: at, ttlMs: 60_000, version });
  }
  const before = kv.counts.commits;
  await cache.clear("c");
  assertEquals(kv.counts.commits - before, 3);
  assertEquals([...kv.held.values()].filter(({ key }) => key.includes("value")), []);
});

Deno.test("kvStores cache: deletes more names than fit in one commit", async () => {
  const kv = new MemoryKv();
  await kvStores(kv).cache.delete("c", Array.from({ length: 1_200 }, (_, at) => `${at}`));
  assertEquals([kv.counts.commits, kv.held.size], [3, 1_200]);
});

Deno.test("kvStores cache: clear keeps an entry that is written meanwhile", async () => {
  const kv = new MemoryKv();
  const { cache } = kvStores(kv);
  const cached = new Cache({ name: "c", store: cache });
  const list = kv.list.bind(kv);
  kv.list = async function* (selector): ReturnType<typeof list> {
    await cached.do({ name: "a" }, () => "new");
    yield* list(selector);
  };
  await cached.do({ name: "a" }, () => "old");
  await cached.clear();
  assertEquals(await new Cache({ name: "c", store: cache }).do({ name: "a" }, () => "x"), "new");
});

Deno.test("kvStores cache: a failing write rejects", async () => {
  const kv = new MemoryKv();
  const { cache } = kvStores(kv);
  kv.beforeCommit = () => Promise.reject(new TypeError("The KV is full"));
  const key = { cache: "c", name: "a", tags: [] };
  const entry = { value: 1, ttlMs: 60_000, version: {} };
  await assertRejects(() => cache.write(key, entry), TypeError, "full");
});

Deno.test("kvStores cache: releasing an expired claim keeps the next one", async () => {
  let nowMs = Date.now();
  const { cache } = kvStores(new MemoryKv(), { now: () => nowMs });
  const key = { cache: "c", name: "a", tags: [] };
  const claim = async () => await cache.claim?.(key, { version: "1", ttlMs: 1_000 });
  const first = await claim();
  nowMs += 1_001;
  const second = await claim();
  await first?.();
  assertEquals([typeof second, await claim()], ["function", undefined]);
});
