/**
 * Caches expensive values: for a time, until their data changes, or for one request.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Cache } from "@fw/fw/cache";
 *
 * const cache = new Cache({ name: "weather" });
 * const degrees = (city: string): Promise<number> =>
 *   cache.do({ name: `degrees ${city}`, ttlMs: 60_000, tags: [city] }, () => city.length + 15);
 *
 * assertEquals(await degrees("Lisboa"), 21);
 * assertEquals(await cache.invalidate("Lisboa"), 1);
 * ```
 *
 * @module
 */

export { Cache, type CacheKey } from "./cache.ts";
export { once } from "./once.ts";
export type { CacheOptions } from "./options.ts";
export type { CacheRead, CacheStore, CacheStoreKey, CacheWrite } from "../runtime/addon.ts";
