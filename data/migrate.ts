/**
 * Numbered migrations: which of them a database has, and the ones that are missing.
 *
 * @module
 */
import type { Db } from "./db.ts";
import { EngineDb } from "./db.ts";
import type { Engine, MigrationSession } from "./engine.ts";
import { MigrationError } from "./migration_error.ts";
import { lineAt, splitStatements, type Statement, transactionVerbs } from "./statements.ts";

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
 * Applies the missing migrations, in order and in one transaction: when one fails, the database stays as it was. Of
 * several processes one applies them, and the others wait and find nothing to do. On SQLite foreign keys are checked
 * at the end only, so that a table can be rebuilt.
 *
 * @param db The database, outside of a transaction.
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The names of those that were applied.
 * @throws {MigrationError} if one fails, was changed after it was applied, or is out of order.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { migrate } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * const db = await openSqlite(":memory:");
 * assertEquals(await migrate(db, migrations), ["0001_create_notes"]);
 * assertEquals(await migrate(db, migrations), []);
 * await db.close();
 * ```
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  checkNumbers(migrations);
  const engine = engineOf(db);
  const checked = await Promise.all(
    migrations.map(async (each) => [each, await checksum(each)] as const),
  );
  // Without a lock where there is nothing to do: another process may be writing.
  if (findPending(await readApplied(db), checked).length === 0) return [];
  return await engine.migrate((session) => applyPending(session, engine, checked));
}

type Checked = readonly (readonly [migration: Migration, checksum: string])[];

function engineOf(db: Db): Engine {
  if (db instanceof EngineDb) return db.internals;
  throw new TypeError("Cannot migrate: pass the database that openSqlite or openPostgres gave.");
}

/**
 * Reads which migrations a database has. Changes nothing.
 *
 * @param db The database.
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The migrations in order, then those that only the database has.
 * @throws {MigrationError} if the names are malformed or out of order.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readMigrationStatus } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const db = await openSqlite(":memory:");
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * assertEquals((await readMigrationStatus(db, migrations))[0]?.state, "pending");
 * await db.close();
 * ```
 */
export async function readMigrationStatus(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly MigrationStatus[]> {
  checkNumbers(migrations);
  const applied = await readApplied(db);
  const known = new Set(migrations.map(({ name }) => name));
  const own = migrations.map(async (migration): Promise<MigrationStatus> => {
    const { name } = migration;
    const row = applied.find((each) => each.name === name);
    if (row === undefined) return { name, state: "pending", appliedAt: undefined };
    const state = row.checksum === await checksum(migration) ? "applied" : "changed";
    return { name, state, appliedAt: row.appliedAt };
  });
  const others = applied.filter(({ name }) => !known.has(name)).map((row): MigrationStatus => {
    const state = row.number > migrations.length ? "newer" : "missing";
    return { name: row.name, state, appliedAt: row.appliedAt };
  });
  return [...await Promise.all(own), ...others];
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

const select = `select number, name, checksum, applied_at from ${table} order by number`;

function toApplied(row: readonly unknown[]): AppliedRow {
  const [number, name, checksum, appliedAt] = row;
  return {
    number: Number(number),
    name: String(name),
    checksum: String(checksum),
    appliedAt: new Date(Number(appliedAt)),
  };
}

async function readApplied(db: Db): Promise<readonly AppliedRow[]> {
  const engine = engineOf(db);
  const find = engine.dialect.engine === "sqlite"
    ? `select 1 from sqlite_schema where type = 'table' and name = '${table}'`
    : `select 1 from pg_class where oid = to_regclass('${table}')`;
  const read = async (text: string): Promise<readonly (readonly unknown[])[]> => {
    const plan = {
      text,
      verb: "select",
      isRead: true,
      name: `fw_migrations_${text.length}`,
      mayScan: true,
    };
    return (await engine.run({ plan, values: [], readsInt64: false })).rows;
  };
  return (await read(find)).length === 0 ? [] : (await read(select)).map(toApplied);
}

/** Returns the migrations that the database does not have; throws where the others differ. */
function findPending(applied: readonly AppliedRow[], migrations: Checked): Checked {
  for (const { number, name, checksum } of applied) {
    const own = migrations[number - 1];
    // A newer version of the application runs beside this one, or ran before it.
    if (own === undefined) continue;
    const [migration, expected] = own;
    if (migration.name !== name) {
      throw new MigrationError("missing", { migration: name, detail: migration.name });
    }
    if (expected !== checksum) throw new MigrationError("changed", { migration: name });
  }
  return migrations.slice(applied.length);
}

async function applyPending(
  session: MigrationSession,
  engine: Engine,
  migrations: Checked,
): Promise<readonly string[]> {
  const isSqlite = engine.dialect.engine === "sqlite";
  await session.exec(
    `create table if not exists ${table} (
      number integer primary key,
      name text not null unique,
      checksum text not null,
      applied_at ${isSqlite ? "integer" : "bigint"} not null
    )${isSqlite ? " strict" : ""}`,
  );
  // Again, now that the database is locked: another process may have been faster.
  const pending = findPending((await session.all(select)).map(toApplied), migrations);
  for (const [migration, checksum] of pending) {
    await applyOne(session, migration);
    const { name } = migration;
    const row = `${Number(name.slice(0, 4))}, '${name}', '${checksum}', ${Date.now()}`;
    await session.exec(`insert into ${table} (number, name, checksum, applied_at) values (${row})`);
  }
  return pending.map(([{ name }]) => name);
}

/** Two files in WAL mode are not changed at once, and the other may be another application's. */
const otherDatabase = /^(?:at|de)tach$/;

async function applyOne(
  session: MigrationSession,
  { name: migration, sql }: Migration,
): Promise<void> {
  const statements = splitStatements(sql);
  if (statements.length === 0) throw new MigrationError("empty", { migration });
  for (const { verb, line } of statements) {
    if (transactionVerbs.has(verb) || otherDatabase.test(verb)) {
      throw new MigrationError("transaction", { migration, line, detail: verb });
    }
  }
  for (const statement of statements) {
    try {
      await session.exec(statement.sql);
    } catch (cause) {
      throw new MigrationError("failed", { migration, ...fault(session, statement, cause), cause });
    }
  }
  let violation: string | undefined;
  try {
    violation = await session.findViolation();
  } catch (cause) {
    // A key that refers to columns without a unique index.
    violation = cause instanceof Error ? cause.message : String(cause);
  }
  if (violation !== undefined) {
    throw new MigrationError("foreign-key", { migration, detail: violation });
  }
}

/** Returns what the engine says and the line, from the place that it names. */
function fault(
  session: MigrationSession,
  { sql, line }: Statement,
  cause: unknown,
): { readonly line: number; readonly detail: string } {
  const text = cause instanceof Error ? cause.message : String(cause);
  const detail = text.replace(/ at offset \d+$/, "").replace(` in ${sql}`, "");
  return { line: line - 1 + lineAt(sql, session.errorOffset(cause, sql)), detail };
}

/** Returns a hash of the text; line ends, which a checkout may change, do not count. */
async function checksum({ sql }: Migration): Promise<string> {
  const text = sql.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
    .toHex();
}
