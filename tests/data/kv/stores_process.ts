/**
 * The shared suite with the real Deno KV, in a separate process because it needs `--unstable-kv`.
 */
import { assertEquals } from "@std/assert";
import { Cache } from "../../../cache/mod.ts";
import { type Kv, kvStores } from "../../../data/kv/mod.ts";
import { createLogger } from "../../../mod.ts";
import { testStoresAlone } from "../stores_suite.ts";

const { openKv } = Deno as unknown as { openKv(path: string): Promise<Kv & { close(): void }> };

Deno.test("kvStores: a cache computes values over 64 KiB each time, without a warning", async () => {
  const kv = await openKv(":memory:");
  let warnings = 0;
  const log = createLogger({ write: () => void warnings++ });
  const cache = new Cache({ name: "large", store: kvStores(kv).cache, log });
  for (const [bytes, made] of [[60_000, 1], [70_000, 2]] as const) {
    let runs = 0;
    const make = (): Uint8Array => new Uint8Array(bytes).fill(++runs);
    const read = () => cache.do({ name: `${bytes}` }, make);
    assertEquals([(await read()).length, (await read())[0]], [bytes, made]);
  }
  assertEquals(warnings, 0);
  kv.close();
});

testStoresAlone("Deno KV", async (now) => {
  const kv = await openKv(":memory:");
  const open = () => kvStores(kv, { now });
  return { one: open(), other: open(), close: () => kv.close() };
});
