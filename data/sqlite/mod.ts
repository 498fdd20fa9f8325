/**
 * Opens SQLite databases of `node:sqlite` and brings their schema up to date by numbered migrations.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { inTransaction, openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [
 *   { name: "0001_create_notes", sql: "create table notes (text text not null) strict;" },
 * ];
 * const db = openSqlite(":memory:", { migrations });
 * inTransaction(db, () => db.prepare("insert into notes values (?)").run("Bring water"));
 * assertEquals(db.prepare("select text from notes").get()?.["text"], "Bring water");
 * db.close();
 * ```
 *
 * @module
 */

export { migrate, type Migration, type MigrationStatus, readMigrationStatus } from "./migrate.ts";
export { MigrationError, type MigrationErrorCode } from "./migration_error.ts";
export { openSqlite, type OpenSqliteOptions } from "./open.ts";
export { inTransaction } from "./transaction.ts";
