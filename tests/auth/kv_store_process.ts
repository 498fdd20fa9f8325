/** The shared suite over the real Deno KV; a process of its own, since it needs `--unstable-kv`. */
import { type Kv, kvSessionStore } from "../../data/kv/mod.ts";
import { storeSuite } from "./store_suite.ts";

const { openKv } = Deno as unknown as {
  openKv(path: string): Promise<Kv & { close(): void }>;
};

for (const { name, run } of storeSuite) {
  const kv = await openKv(":memory:");
  await run((now) => ({
    store: kvSessionStore(kv, { now }),
    other: kvSessionStore(kv, { now }),
    close: () => kv.close(),
  }));
  console.log(`ok ${name}`);
}
