import { int, type Stores } from "../../mod.ts";
import { copyChannels } from "../../runtime/addon.ts";
import type { Db } from "../db.ts";
import { databaseEntries } from "./cache.ts";
import { markedCache } from "./marked_cache.ts";
import { databaseChannels } from "./channels.ts";
import { databaseLimits, databaseOnce } from "./once.ts";
import { databasePasskeys } from "./passkeys.ts";
import { databaseSessions } from "./sessions.ts";
import { Tables } from "./tables.ts";

/** Options of `sqliteStores` and `postgresStores`. */
export interface DatabaseStoresOptions {
  /**
   * Polling interval for messages of other processes, in milliseconds.
   *
   * @default 200; on Postgres 5_000, besides `LISTEN`
   */
  readonly pollMs?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in tables of a SQLite database
 * (`fw_…`), which it creates and which the processes of one machine share. Each change of a limit is a write.
 *
 * @param db The database; preferably a separate one, so that the application's writes do not wait for limits.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a database of another engine; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { App, provideStores } from "@fw/fw";
 * import { openSqlite, sqliteStores } from "@fw/fw/sqlite";
 *
 * const app = new App();
 * await using db = await openSqlite(":memory:");
 * provideStores(app, sqliteStores(db));
 * ```
 */
export function sqliteStores(db: Db, options: DatabaseStoresOptions = {}): Required<Stores> {
  return databaseStores("openSqlite", db, options);
}

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels in tables of a Postgres database (`fw_…`),
 * which it creates. Limits use the server's clock; channels wake readers with `NOTIFY`, on a separate connection.
 *
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
  return databaseStores("openPostgres", db, options);
}

function databaseStores(
  opener: "openSqlite" | "openPostgres",
  db: Db,
  options: DatabaseStoresOptions,
): Required<Stores> {
  if (!opener.toLowerCase().endsWith(db.engine)) {
    throw new TypeError(`Cannot create the stores: pass them a database of ${opener}.`);
  }
  const { pollMs = db.engine === "sqlite" ? 200 : 5_000, now = Date.now } = options;
  if (!Number.isSafeInteger(pollMs) || pollMs < 1) {
    throw new RangeError(`Cannot create stores: pollMs is ${pollMs}; use an integer from 1.`);
  }
  const tables = new Tables(db, now);
  const sessions = databaseSessions(tables);
  const limits = databaseLimits(tables);
  return {
    limits,
    attempts: limits,
    cache: markedCache(databaseEntries(tables)),
    sessions,
    tokens: sessions,
    passkeys: databasePasskeys(tables),
    once: databaseOnce(tables),
    channels: copyChannels(databaseChannels(tables, pollMs)),
    check: async () => {
      await db.one(int())`select 1`;
    },
  };
}
