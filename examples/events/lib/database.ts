import { key } from "@fw/fw";
import { openSqlite, type SqliteDb } from "@fw/fw/sqlite";
import createEvents from "../migrations/0001_create_events.sql" with { type: "text" };
import mailGuests from "../migrations/0002_mail_guests.sql" with { type: "text" };

/** The database, as `setup.ts` provides it: `use(c, Database)`. */
export const Database = key<SqliteDb>("database");

/** The versions of the schema. Add to the end; never change one that has been released. */
const migrations = [
  { name: "0001_create_events", sql: createEvents },
  { name: "0002_mail_guests", sql: mailGuests },
];

/**
 * Opens the database and brings its schema up to date.
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
