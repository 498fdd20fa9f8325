/**
 * Prints how many bytes a flood leaves in memory after garbage collection, for `flood_test.ts`;
 * runs with `--v8-flags=--expose-gc`.
 */
import { App, createLogger, limit, Off } from "../../../mod.ts";
import { addressOf } from "./address.ts";
import { peer } from "../../runtime/peer.ts";

function usedBytes(): number {
  // Only the flag provides the garbage collector, which no declarations include.
  (globalThis as unknown as { gc(): void }).gc();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

async function floodChains(): Promise<number> {
  const app = new App({
    trustedProxies: ["10.0.0.0/8"],
    logRequest: Off,
    // Standard output is for the measurement.
    logger: createLogger({ write: () => {} }),
  });
  const middleware = [{ Middleware: limit(1, 2) }];
  app.route({ pattern: "/", middleware, methods: { GET: (c) => c.text(200, "") } });
  const info = peer("10.0.0.1");
  const ask = async (index: number): Promise<void> => {
    const chain = `${String(index).repeat(2_000).slice(0, 8_000)}, ${addressOf(index)}`;
    const request = new Request("http://localhost/", { headers: { "x-forwarded-for": chain } });
    const response = await app.fetch(request, info);
    await response.body?.cancel();
    if (response.status !== 200) throw new Error(`status ${response.status}`);
  };
  await ask(10_000);
  const before = usedBytes();
  for (let index = 10_001; index <= 20_000; index++) await ask(index);
  return usedBytes() - before;
}

console.log(await floodChains());
