/**
 * Databases for code that uses `node:sqlite` itself: synchronous, without the rows, errors and transactions of
 * `Db`. New code uses `openSqlite`.
 *
 * @module
 */
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  type AppliedRow,
  checkNumbers,
  checkStatements,
  createTable,
  findPending,
  type Migration,
  migrationsTable,
  noteApplied,
  selectApplied,
  statementFailure,
  toApplied,
} from "../migrate.ts";
import { MigrationError } from "../migration_error.ts";
import { errorOffset, findViolation, runMigration } from "./engine.ts";
import { inTransaction } from "./transaction.ts";

/** Options of {@linkcode openSqliteSync}. */
export interface OpenSqliteSyncOptions {
  /** The versions of the schema, in order. @default [] */
  readonly migrations?: readonly Migration[];
  /** Time for which a statement waits for a writer in another process, in milliseconds. @default 5_000 */
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
 * import { openSqliteSync } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_cities", sql: "create table cities (name text);" }];
 * const db = openSqliteSync(":memory:", { migrations });
 * assertEquals(db.prepare("select count(*) as n from cities").get()?.["n"], 0);
 * db.close();
 * ```
 */
export function openSqliteSync(path: string, options: OpenSqliteSyncOptions = {}): DatabaseSync {
  const { migrations = [], busyTimeoutMs = 5_000 } = options;
  if (!Number.isSafeInteger(busyTimeoutMs) || busyTimeoutMs < 0) {
    throw new RangeError(
      `Cannot open "${path}": busyTimeoutMs is ${busyTimeoutMs}; use an integer from 0.`,
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

function migrate(db: DatabaseSync, migrations: readonly Migration[]): void {
  checkNumbers(migrations);
  const readApplied = (): readonly AppliedRow[] =>
    db.prepare(selectApplied).all().map((row) => toApplied(Object.values(row)));
  const isNew = db.prepare("select 1 from sqlite_schema where name = ?").get(migrationsTable) ===
    undefined;
  // Without a lock where there is nothing to do: another process may be writing.
  if (!isNew && findPending(readApplied(), migrations).length === 0) return;
  db.exec("pragma foreign_keys = off");
  try {
    inTransaction(db, () => {
      db.exec(createTable("sqlite"));
      // Again, now that the database is locked: another process may have been faster.
      for (const migration of findPending(readApplied(), migrations)) applyOne(db, migration);
    });
  } finally {
    db.exec("pragma foreign_keys = on");
  }
}

function applyOne(db: DatabaseSync, migration: Migration): void {
  const { name } = migration;
  for (const statement of checkStatements(migration)) {
    try {
      runMigration(db, statement.sql);
    } catch (cause) {
      throw statementFailure(name, statement, { cause, offset: errorOffset(cause, statement.sql) });
    }
  }
  const detail = findViolation(db);
  if (detail !== undefined) throw new MigrationError("foreign-key", { migration: name, detail });
  db.exec(noteApplied(migration));
}
