/**
 * Opens a database with the settings that a web application needs.
 *
 * @module
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migrate, type Migration } from "./migrate.ts";

/** How {@linkcode openSqlite} opens a database. */
export interface OpenSqliteOptions {
  /** The versions of the schema, in order. @default [] */
  readonly migrations?: readonly Migration[];
  /** How long a statement waits for another process that writes. @default 5_000 */
  readonly busyTimeoutMs?: number;
}

/**
 * Opens a database and brings its schema up to date. The folder of the file is made where it is
 * missing. Readers do not wait for a writer (`journal_mode = wal`), and foreign keys are checked.
 *
 * @param path The file, or `:memory:` for a database of its own in memory.
 * @param options Migrations, and how long to wait for locks.
 * @returns The database, to be closed by the caller.
 * @throws {MigrationError} if the schema cannot be brought up to date; the database is closed then.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_cities", sql: "create table cities (name text);" }];
 * const db = openSqlite(":memory:", { migrations });
 * assertEquals(db.prepare("select count(*) as n from cities").get()?.["n"], 0);
 * db.close();
 * ```
 */
export function openSqlite(path: string, options: OpenSqliteOptions = {}): DatabaseSync {
  const { migrations = [], busyTimeoutMs = 5_000 } = options;
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new RangeError(
      `Cannot open "${path}": busyTimeoutMs is ${busyTimeoutMs}; use a whole number from 0.`,
    );
  }
  if (path !== ":memory:") Deno.mkdirSync(dirname(path), { recursive: true });
  const db = new DatabaseSync(path);
  try {
    db.exec(`pragma busy_timeout = ${busyTimeoutMs}; pragma foreign_keys = on`);
    useWal(db, busyTimeoutMs);
    if (migrations.length > 0) migrate(db, migrations);
  } catch (error) {
    db.close();
    throw error;
  }
  return db;
}

/** Switches to the write-ahead log. SQLite fails at once, despite the timeout, where two switch. */
function useWal(db: DatabaseSync, busyTimeoutMs: number): void {
  const endMs = Date.now() + busyTimeoutMs;
  for (;;) {
    try {
      db.exec("pragma journal_mode = wal");
      return;
    } catch (error) {
      const isLocked = error instanceof Error && error.message.includes("locked");
      if (!isLocked || Date.now() >= endMs) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
