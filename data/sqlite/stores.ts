import type { Stores } from "../../mod.ts";
import type { Db } from "../db.ts";
import { databaseStores, type DatabaseStoresOptions } from "../stores/stores.ts";

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in tables of a SQLite database
 * (`fw_…`), which it creates and which the processes of one machine share. Each change of a limit is a write.
 *
 * @param db The database; preferably a separate one, so that the application's writes do not wait for limits.
 * @param options The polling interval for messages of other processes.
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
    throw new TypeError("Cannot create the stores: pass sqliteStores a database of openSqlite.");
  }
  return databaseStores(db, options);
}
