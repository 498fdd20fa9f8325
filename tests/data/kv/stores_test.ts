import { kvStores } from "../../../data/kv/mod.ts";
import { testStores } from "../stores_suite.ts";
import { MemoryKv } from "./memory_kv.ts";

testStores("Deno KV, imitated", (now) => {
  const kv = new MemoryKv();
  const open = () => kvStores(kv, { now, pollMs: 20 });
  return Promise.resolve({ one: open(), other: open(), close: () => {} });
});
