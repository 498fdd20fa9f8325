/**
 * Prints how many bytes a flood leaves in memory after a collection, for `flood_test.ts`; runs with
 * `--v8-flags=--expose-gc`.
 */
import { App, createLogger, limit, MemoryRateLimitStore } from "../../../mod.ts";
import { addressOf } from "./address.ts";

function usedBytes(): number {
  // The collector is there by the flag alone: no declarations know it.
  (globalThis as unknown as { gc(): void }).gc();
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

function floodClients(): number {
  let now = 0;
  const before = usedBytes();
  const store = new MemoryRateLimitStore({ now: () => now });
  const rule = { rate: 1, burst: 2 };
  for (let index = 0; index < 1_000_000; index++) {
    store.take(`1/2 ${addressOf(index)}`, rule);
    // 200,000 newcomers a second: some buckets fill up again under way.
    if (index % 200 === 0) now += 1;
  }
  const grown = usedBytes() - before;
  // Asked after the measurement, so that the store was still there when it was taken.
  if (store.size !== 65_536) throw new Error(`${store.size} clients`);
  return grown;
}

async function floodChains(): Promise<number> {
  const app = new App({
    trustedProxies: ["10.0.0.0/8"],
    logRequest: () => false,
    // Standard output is for the measurement.
    logger: createLogger({ write: () => {} }),
  });
  app.route({
    pattern: "/",
    middleware: [{ Middleware: limit(1, 2) }],
    methods: { GET: (c) => c.text(200, "") },
  });
  const info: Deno.ServeHandlerInfo = {
    remoteAddr: { transport: "tcp", hostname: "10.0.0.1", port: 1 },
    completed: Promise.resolve(),
  };
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

console.log(Deno.args[0] === "clients" ? floodClients() : await floodChains());
