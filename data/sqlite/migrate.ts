/**
 * Numbered migrations: which of them a database has, and the ones that are missing.
 *
 * @module
 */
import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { MigrationError } from "./migration_error.ts";
import { lineAt, splitStatements, type Statement } from "./statements.ts";
import { inTransaction } from "./transaction.ts";

/** A version of the schema. */
export interface Migration {
  /** Four digits, then small letters, digits and `_`, such as `0001_create_notes`. */
  readonly name: string;
  /** One statement or several. */
  readonly sql: string;
}

/** What a database has of a migration. */
export interface MigrationStatus {
  /** The name. */
  readonly name: string;
  /**
   * `applied` or `pending`; `changed` after it was applied; `missing` in the application, between others
   * or under this name; `newer` than the application, which is fine beside a newer version of it.
   */
  readonly state: "applied" | "pending" | "changed" | "missing" | "newer";
  /** When it was applied; `undefined` for one that is pending. */
  readonly appliedAt: Date | undefined;
}

const table = "fw_migrations";

/**
 * Applies the migrations that are missing, in order and in one transaction: when one fails, the database
 * stays as it was. Of two processes the second waits, up to the busy timeout of its database, then finds nothing to do. Foreign keys are checked
 * at the end only, so that a table can be rebuilt.
 *
 * @param db The database, outside of a transaction.
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The names of those that were applied.
 * @throws {MigrationError} if one fails, was changed after it was applied, or is out of order.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { migrate, openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * const db = openSqlite(":memory:");
 * assertEquals(migrate(db, migrations), ["0001_create_notes"]);
 * assertEquals(migrate(db, migrations), []);
 * db.close();
 * ```
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[]): readonly string[] {
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

/**
 * Tells which migrations a database has. Changes nothing.
 *
 * @param db The database.
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The migrations in order, then those that only the database has.
 * @throws {MigrationError} if the names are malformed or out of order.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { openSqlite, readMigrationStatus } from "@fw/fw/sqlite";
 *
 * const db = openSqlite(":memory:");
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * assertEquals(readMigrationStatus(db, migrations)[0]?.state, "pending");
 * db.close();
 * ```
 */
export function readMigrationStatus(
  db: DatabaseSync,
  migrations: readonly Migration[],
): readonly MigrationStatus[] {
  checkNumbers(migrations);
  const applied = readApplied(db);
  const known = new Set(migrations.map(({ name }) => name));
  const own = migrations.map((migration): MigrationStatus => {
    const { name } = migration;
    const row = applied.find((each) => each.name === name);
    if (row === undefined) return { name, state: "pending", appliedAt: undefined };
    const state = row.checksum === checksumOf(migration) ? "applied" : "changed";
    return { name, state, appliedAt: row.appliedAt };
  });
  const others = applied.filter(({ name }) => !known.has(name)).map((row): MigrationStatus => {
    const state = row.number > migrations.length ? "newer" : "missing";
    return { name: row.name, state, appliedAt: row.appliedAt };
  });
  return [...own, ...others];
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
