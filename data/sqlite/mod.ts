/**
 * SQLite databases over `node:sqlite`. For the API of a database see `@fw/fw/data`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { text } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [
 *   { name: "0001_create_notes", sql: "create table notes (text text not null) strict;" },
 * ];
 * const db = await openSqlite(":memory:", { migrations });
 * await db.run`insert into notes values (${"Bring water"})`;
 * assertEquals(await db.one(text())`select text from notes`, "Bring water");
 * await db.close();
 * ```
 *
 * @module
 */
export type { Migration } from "../migrate.ts";
export { openSqlite, type OpenSqliteOptions, type SqliteDb } from "./open.ts";
export { type DatabaseStoresOptions, sqliteStores } from "../stores/stores.ts";
