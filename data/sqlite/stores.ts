import type { Stores } from "../../mod.ts";
import type { Db } from "../db.ts";
import { databaseStores, type DatabaseStoresOptions } from "../stores/stores.ts";

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in tables of a SQLite database (`fw_…`), which
 * it creates: the processes of one machine share them. A change of a limit is a write.
 *
 * @param db The database; best one of its own, so that the application's writes do not wait for those of limits.
 * @param options How often it looks for messages of other processes.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a database of another engine; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { App, provideStores } from "@fw/fw";
 * import { openSqlite, sqliteStores } from "@fw/fw/sqlite";
 *
 * const app = new App();
 * const db = await openSqlite(":memory:");
 * provideStores(app, sqliteStores(db));
 * await db.close();
 * ```
 */
export function sqliteStores(db: Db, options: DatabaseStoresOptions = {}): Required<Stores> {
  if (db.engine !== "sqlite") {
    throw new TypeError("Cannot make the stores: sqliteStores takes the database of openSqlite.");
  }
  return databaseStores(db, options);
}
