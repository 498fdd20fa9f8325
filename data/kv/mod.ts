/**
 * Stores in Deno KV: what several replicas of an application share. The application opens the store
 * itself, with `"unstable": ["kv"]` in its `deno.json`, and hands it in; this module needs no flag.
 *
 * @example
 * ```ts
 * import type { Settings } from "@fw/fw";
 * import { Cache } from "@fw/fw/cache";
 * import { type Kv, kvCacheStore, kvRateLimitStore } from "@fw/fw/kv";
 *
 * // `kv` is what `await Deno.openKv()` gives.
 * function shareLimits(kv: Kv): Settings {
 *   return { rateLimit: { rate: 5, burst: 20, store: kvRateLimitStore(kv) } };
 * }
 * function shareCache(kv: Kv): Cache {
 *   return new Cache({ name: "events", store: kvCacheStore(kv) });
 * }
 * console.assert(shareLimits.length === shareCache.length);
 * ```
 *
 * @module
 */

export type { RateLimitStore } from "../../mod.ts";
export type { Awaitable, SessionOwner, SessionStore, StoredSession } from "../../runtime/addon.ts";
export { type KvCacheOptions, kvCacheStore } from "./cache.ts";
export type { Kv, KvAtomic, KvFound, KvListed } from "./connection.ts";
export { type KvRateLimitOptions, kvRateLimitStore } from "./rate_limit.ts";
export { type KvSessionOptions, kvSessionStore } from "./sessions.ts";
export type { CacheRead, CacheStore, CacheStoreKey, CacheWrite } from "../../runtime/addon.ts";
