/**
 * Databases for code that uses `node:sqlite` itself: synchronous, without the rows, errors and transactions of
 * `Db`. New code uses `openSqlite`.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Migration } from "../migrate.ts";
import { MigrationError } from "../migration_error.ts";
import { lineAt, splitStatements, type Statement } from "../statements.ts";
import { inTransaction } from "./transaction.ts";

/** How {@linkcode openSqliteSync} opens a database. */
export interface OpenSqliteSyncOptions {
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

const table = "fw_migrations";

function migrate(db: DatabaseSync, migrations: readonly Migration[]): readonly string[] {
  checkNumbers(migrations);
  // Without a lock where there is nothing to do: another process may be writing.
  if (findPending(db, migrations).length === 0) return [];
  const checksKeys = db.prepare("pragma foreign_keys").get()?.["foreign_keys"] === 1;
  db.exec("pragma foreign_keys = off");
  try {
    return inTransaction(db, () => applyPending(db, migrations));
  } finally {
    if (checksKeys) db.exec("pragma foreign_keys = on");
  }
}

function checkNumbers(migrations: readonly Migration[]): void {
  for (const [index, { name: migration }] of migrations.entries()) {
    if (!/^\d{4}_[a-z0-9_]+$/.test(migration)) throw new MigrationError("name", { migration });
    const expected = String(index + 1).padStart(4, "0");
    if (!migration.startsWith(`${expected}_`)) {
      throw new MigrationError("number", { migration, detail: expected });
    }
  }
}

interface AppliedRow {
  readonly number: number;
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

function readApplied(db: DatabaseSync): readonly AppliedRow[] {
  const find = db.prepare("select 1 from sqlite_schema where type = 'table' and name = ?");
  if (find.get(table) === undefined) return [];
  return db.prepare(`select * from ${table} order by number`).all().map((row) => ({
    number: Number(row["number"]),
    name: String(row["name"]),
    checksum: String(row["checksum"]),
    appliedAt: new Date(Number(row["applied_at"])),
  }));
}

/** Returns the migrations that the database does not have; throws where the others differ. */
function findPending(db: DatabaseSync, migrations: readonly Migration[]): readonly Migration[] {
  const applied = readApplied(db);
  for (const { number, name, checksum } of applied) {
    const own = migrations[number - 1];
    // A newer version of the application runs beside this one, or ran before it.
    if (own === undefined) continue;
    if (own.name !== name) {
      throw new MigrationError("missing", { migration: name, detail: own.name });
    }
    if (checksumOf(own) !== checksum) throw new MigrationError("changed", { migration: name });
  }
  return migrations.slice(applied.length);
}

function applyPending(db: DatabaseSync, migrations: readonly Migration[]): readonly string[] {
  db.exec(
    `create table if not exists ${table} (
      number integer primary key,
      name text not null unique,
      checksum text not null,
      applied_at integer not null
    ) strict`,
  );
  // Again, now that the database is locked: another process may have been faster.
  const pending = findPending(db, migrations);
  const note = `insert into ${table} (number, name, checksum, applied_at) values (?, ?, ?, ?)`;
  for (const migration of pending) {
    applyOne(db, migration);
    const { name } = migration;
    db.prepare(note).run(Number(name.slice(0, 4)), name, checksumOf(migration), Date.now());
  }
  return pending.map(({ name }) => name);
}

/** The words that would end the transaction of all migrations, begin another, or lead to another database. */
const transactionVerbs: ReadonlySet<string> = new Set([
  "begin",
  "commit",
  "end",
  "rollback",
  "savepoint",
  "release",
  // Two files in WAL mode are not changed at once, and the other may be another application's.
  "attach",
  "detach",
]);

function applyOne(db: DatabaseSync, { name: migration, sql }: Migration): void {
  const statements = splitStatements(sql);
  if (statements.length === 0) throw new MigrationError("empty", { migration });
  for (const { verb, line } of statements) {
    if (transactionVerbs.has(verb)) {
      throw new MigrationError("transaction", { migration, line, detail: verb });
    }
  }
  for (const statement of statements) {
    try {
      runStatement(db, statement);
    } catch (cause) {
      throw new MigrationError("failed", { migration, ...faultOf(statement, cause), cause });
    }
  }
  checkForeignKeys(db, migration);
}

function runStatement(db: DatabaseSync, { sql }: Statement): void {
  // SQLite reads up to it, and would leave the rest out without a word.
  if (sql.includes("\0")) throw new Error("the text contains a NUL");
  db.exec(sql);
}

/** Returns what SQLite says and the line, from the offset that it names. */
function faultOf(
  { sql, line }: Statement,
  cause: unknown,
): { readonly line: number; readonly detail: string } {
  const text = cause instanceof Error ? cause.message : String(cause);
  const end = / at offset (\d+)$/.exec(text);
  const detail = text.replace(/ at offset \d+$/, "").replace(` in ${sql}`, "");
  // The offset counts bytes.
  const before = new TextEncoder().encode(sql).subarray(0, Number(end?.[1] ?? 0));
  return { line: line - 1 + lineAt(sql, new TextDecoder().decode(before).length), detail };
}

function checkForeignKeys(db: DatabaseSync, migration: string): void {
  const row = readViolation(db, migration);
  if (row === undefined) return;
  const detail = `row ${row["rowid"]} of "${row["table"]}" points at a row of "${row["parent"]}" ` +
    "that does not exist";
  throw new MigrationError("foreign-key", { migration, detail });
}

function readViolation(
  db: DatabaseSync,
  migration: string,
): Readonly<Record<string, unknown>> | undefined {
  try {
    return db.prepare("pragma foreign_key_check").get();
  } catch (cause) {
    // A key that refers to columns without a unique index.
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new MigrationError("foreign-key", { migration, detail, cause });
  }
}

/** Returns a hash of the text; line ends, which a checkout may change, do not count. */
function checksumOf({ sql }: Migration): string {
  const text = sql.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return createHash("sha256").update(text).digest("hex");
}
