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
 * Creates stores and their tables (`fw_…`).
 *
 * @param db The database.
 * @param options The polling interval for messages of other processes.
 * @returns The stores, for `provideStores`.
 */
export function databaseStores(db: Db, options: DatabaseStoresOptions = {}): Required<Stores> {
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
