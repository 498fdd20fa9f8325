import type { Stores } from "../../mod.ts";
import type { Db } from "../db.ts";
import { databaseStores, type DatabaseStoresOptions } from "../stores/stores.ts";

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in tables of a Postgres database (`fw_…`),
 * which it creates. Limits use the server's clock; channels wake readers with `NOTIFY`, on a separate connection.
 *
 * @param db The database.
 * @param options The polling interval besides `LISTEN`, which poolers in transaction mode lack.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a database of another engine; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { type Application, provideStores } from "@fw/fw";
 * import { openPostgres, type PgPool, postgresStores } from "@fw/fw/postgres";
 *
 * export async function share(app: Application, pool: PgPool): Promise<void> {
 *   provideStores(app, postgresStores(await openPostgres(pool)));
 * }
 * ```
 */
export function postgresStores(db: Db, options: DatabaseStoresOptions = {}): Required<Stores> {
  if (db.engine !== "postgres") {
    throw new TypeError(
      "Cannot create the stores: pass postgresStores a database of openPostgres.",
    );
  }
  return databaseStores(db, options);
}
