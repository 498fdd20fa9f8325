/**
 * Prints what the stores do with a real Deno KV in memory, for `kv_rate_limit_test.ts`; runs with `--unstable-kv`.
 *
 * @module
 */
/// <reference lib="deno.unstable" />
import { kvRateLimitStore } from "../../../data/kv/mod.ts";

using kv = await Deno.openKv(":memory:");

/** How many of 50 parallel requests get a token, each through one of the stores. */
async function takeInParallel(storeCount: number, burst: number): Promise<number> {
  const stores = Array.from({ length: storeCount }, () => kvRateLimitStore(kv));
  const waits = await Promise.all(
    Array.from(
      { length: 50 },
      (_, index) => stores[index % storeCount]?.take(`${storeCount}`, { rate: 0.01, burst }),
    ),
  );
  return waits.filter((waitMs) => waitMs === 0).length;
}

/** The waits of requests to two replicas, and those after 500 ms. */
async function shareBucket(): Promise<number[]> {
  let now = 1_000_000;
  const [one, two] = [1, 2].map(() => kvRateLimitStore(kv, { prefix: "shared", now: () => now }));
  const rule = { rate: 2, burst: 2 };
  const waits: (number | undefined)[] = [];
  for (const store of [one, two, one, two]) waits.push(await store?.take("ada", rule));
  now += 500;
  for (const store of [two, one]) waits.push(await store?.take("ada", rule));
  return waits.map((waitMs) => waitMs ?? -1);
}

console.log(JSON.stringify({
  shared: await shareBucket(),
  oneStore: await takeInParallel(1, 20),
  twoStores: await takeInParallel(2, 20),
  fiftyStores: await takeInParallel(50, 10),
}));
