/**
 * Fills caches as hostile clients would and prints their memory, for `memory_test.ts`; runs with
 * `--v8-flags=--expose-gc`.
 */
import { Cache } from "../../../cache/mod.ts";

function heapMiB(): number {
  Object.getOwnPropertyDescriptor(globalThis, "gc")?.value();
  return Deno.memoryUsage().heapUsed / 2 ** 20;
}

async function growth(run: () => Promise<unknown>): Promise<number> {
  const before = heapMiB();
  const held = await run();
  const mib = heapMiB() - before;
  // All measured values must stay alive until here.
  if (held === undefined) throw new Error("nothing was held");
  return mib;
}

async function millionNames(): Promise<Cache> {
  const cache = new Cache({ name: "names" });
  for (let at = 0; at < 1_000_000; at++) {
    await cache.do(
      { name: `name ${at}`, ttlMs: 60_000, tags: [`tag ${at % 100}`] },
      () => ({ at }),
    );
  }
  return cache;
}

/** Names and tags sliced from large texts, like parameters from URLs. */
async function cutNames(): Promise<Cache> {
  const cache = new Cache({ name: "cut" });
  const filler = "x".repeat(32_000);
  for (let at = 0; at < 5_000; at++) {
    const url = `${filler}/a-parameter-of-some-length-${at}/${filler}`;
    const name = url.slice(filler.length + 1, -filler.length - 1);
    await cache.do({ name, tags: [url.slice(filler.length + 3, -filler.length - 1)] }, () => at);
  }
  return cache;
}

async function longNames(): Promise<Cache> {
  const cache = new Cache({ name: "long" });
  for (let at = 0; at < 60; at++) {
    const name = `${at}`.padEnd(1_000_000, "x");
    await cache.do({ name, tags: [name] }, () => at);
  }
  return cache;
}

async function expiredValues(): Promise<Cache> {
  let now = 0;
  const cache = new Cache({ name: "expired", maxEntries: 1_000_000, now: () => now });
  for (let at = 0; at < 20_000; at++) {
    await cache.do({ name: `old ${at}`, ttlMs: 10 }, () => new Uint8Array(1_000));
  }
  now += 10;
  for (let at = 0; at < 10_000; at++) await cache.do({ name: `new ${at}`, ttlMs: 10 }, () => at);
  return cache;
}

async function failures(): Promise<Cache> {
  const cache = new Cache({ name: "failures" });
  for (let at = 0; at < 50_000; at++) {
    const fn = (): Promise<never> => Promise.reject(new Error("no"));
    await cache.do({ name: `name ${at}`, tags: [`tag ${at}`] }, fn).catch(() => {});
  }
  return cache;
}

const report: Record<string, [mib: number, size: number]> = {};
for (const fill of [millionNames, cutNames, longNames, expiredValues, failures]) {
  let size = -1;
  const mib = await growth(async () => {
    const cache = await fill();
    size = cache.size;
    return cache;
  });
  report[fill.name] = [Math.round(mib * 10) / 10, size];
}
console.log(JSON.stringify(report));
