/**
 * Caches expensive values: for a time, until their data changes, or for one request.
 *
 * @module
 */

export { Cache, type CacheKey } from "./cache.ts";
export { once } from "./once.ts";
export type { CacheOptions } from "./options.ts";
export type { CacheRead, CacheStore, CacheStoreKey, CacheWrite } from "../runtime/addon.ts";
