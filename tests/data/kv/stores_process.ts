/** The shared suite over the real Deno KV; a process of its own, since it needs `--unstable-kv`. */
import { type Kv, kvStores } from "../../../data/kv/mod.ts";
import { testStores } from "../stores_suite.ts";

const { openKv } = Deno as unknown as {
  openKv(path: string): Promise<Kv & { close(): void }>;
};

testStores("Deno KV", async (now) => {
  const kv = await openKv(":memory:");
  const open = () => kvStores(kv, { now, pollMs: 20 });
  return { one: open(), other: open(), close: () => kv.close() };
});
