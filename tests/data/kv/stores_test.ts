import { assertEquals } from "@std/assert";
import { kvStores } from "../../../data/kv/mod.ts";
import { testStores } from "../stores_suite.ts";
import { MemoryKv } from "./memory_kv.ts";

testStores("Deno KV, imitated", (now) => {
  const kv = new MemoryKv();
  const open = () => kvStores(kv, { now, pollMs: 20 });
  return Promise.resolve({ one: open(), other: open(), close: () => {} });
});

Deno.test("kvStores cache: clear removes the entries in few commits", async () => {
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
