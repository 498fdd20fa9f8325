import { key } from "@fw/fw";
import { openSqlite, type SqliteDb } from "@fw/fw/sqlite";
import createEvents from "../migrations/0001_create_events.sql" with { type: "text" };
import mailGuests from "../migrations/0002_mail_guests.sql" with { type: "text" };

/** The database provided by `setup.ts`: `use(c, Database)`. */
export const Database = key<SqliteDb>("database");

/** The versions of the schema. Append new ones; never change a released one. */
const migrations = [
  { name: "0001_create_events", sql: createEvents },
  { name: "0002_mail_guests", sql: mailGuests },
];

/**
 * Opens the database and migrates its schema.
 *
 * @param path A file, or `:memory:`.
 * @param options `isDurable`: whether a commit survives a power failure; tests need not wait for the disk.
 * @default true
 */
export function openDatabase(
  path: string,
  { isDurable = true }: { readonly isDurable?: boolean } = {},
): Promise<SqliteDb> {
  return openSqlite(path, { migrations, durability: isDurable ? "full" : "process" });
}
