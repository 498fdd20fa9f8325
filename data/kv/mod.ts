/**
 * Stores in Deno KV. The application opens and passes the KV, with `"unstable": ["kv"]` in its
 * `deno.json`; this module itself needs no flag.
 *
 * @module
 */
export type { Kv, KvAtomic, KvFound } from "./connection.ts";
export { kvStores, type KvStoresOptions } from "./stores.ts";
