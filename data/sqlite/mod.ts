/**
 * SQLite databases over `node:sqlite`. For the API of a database see `@fw/fw/data`.
 *
 * @module
 */
export type { Migration } from "../migrate.ts";
export { openSqlite, type OpenSqliteOptions, type SqliteDb } from "./open.ts";
export { type DatabaseStoresOptions, sqliteStores } from "../stores/stores.ts";
