/**
 * Stores in Deno KV. The application opens and passes the KV, with `"unstable": ["kv"]` in its
 * `deno.json`; this module itself needs no flag.
 *
 * @example
 * ```ts
 * import { type Application, provideStores } from "@fw/fw";
 * import { type Kv, kvStores } from "@fw/fw/kv";
 *
 * export function share(app: Application, kv: Kv): void {
 *   provideStores(app, kvStores(kv));
 * }
 * ```
 *
 * @module
 */
export type { Kv, KvAtomic, KvFound, KvListed } from "./connection.ts";
export { kvStores, type KvStoresOptions } from "./stores.ts";
