import { type Infer, int, struct, text } from "../mod.ts";
import { type Db, engineDb } from "./db.ts";
import type { Engine, MigrationSession } from "./engine.ts";
import { MigrationError } from "./errors.ts";
import { compileRows } from "./rows.ts";
import { rawText } from "./sql.ts";
import { lineAt, splitStatements, transactionVerbs } from "./statements.ts";
import type { EngineName } from "./values.ts";

/** A version of the schema. */
export interface Migration {
  /** Four digits, then lower-case letters, digits and `_`, such as `0001_create_notes`. */
  readonly name: string;
  /** One or more statements. */
  readonly sql: string;
}

/** The state of a migration in a database. */
export interface MigrationStatus {
  /** The name of the migration. */
  readonly name: string;
  /**
   * `applied` or `pending`; `changed` after it was applied; `missing` from the application; or
   * `newer` than the application's last one, as is normal while a newer version is being deployed.
   */
  readonly state: "applied" | "pending" | "changed" | "missing" | "newer";
  /** The time at which it was applied; `undefined` while pending. */
  readonly appliedAt: Date | undefined;
}

const migrationsTable = "fw_migrations";

/**
 * Applies the pending migrations, in order and in one transaction: if one fails, the database is
 * unchanged. If several processes start, one applies them and the others wait up to a minute. On
 * SQLite, foreign keys are checked only at the end, so that a table can be rebuilt.
 *
 * A file whose first line is `-- fw: alone` has one statement, which runs outside of a transaction: `create
 * index concurrently` of Postgres, `vacuum` of SQLite. The migrations before it are committed first. Write
 * it so that it can run again (`if not exists`), because a process killed during it has not recorded it.
 *
 * @param db The database, outside of a transaction.
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The names of the applied migrations.
 * @throws {MigrationError} if one fails, was changed after it was applied, or is out of order.
 * @throws {BusyError} if another process locks the database or migrates it for more than a minute.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { migrate } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * await using db = await openSqlite(":memory:");
 * assertEquals(await migrate(db, migrations), ["0001_create_notes"]);
 * assertEquals(await migrate(db, migrations), []);
 * ```
 */
export async function migrate(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly string[]> {
  checkNumbers(migrations);
  const engine = engineDb(db, "migrate").internals;
  const names: string[] = [];
  for (;;) {
    // Without a lock if nothing is pending, because another process may be writing.
    const [first] = await findPending(await readApplied(db), migrations);
    if (first === undefined) return names;
    const alone = isAlone(first);
    const applied = await engine.migrate(
      (session) => applyPending(session, engine, { migrations, alone }),
      { alone },
    );
    names.push(...applied);
  }
}

function isAlone({ sql }: Migration): boolean {
  return /^\uFEFF?\s*--[ \t]*fw:[ \t]*alone[ \t]*(?:\r?\n|$)/.test(sql);
}

/**
 * Reads the state of the migrations in a database, without changes.
 *
 * @param migrations All versions of the schema, numbered from 0001 without a gap.
 * @returns The migrations in order, then those known only to the database.
 * @throws {MigrationError} if the names are malformed or out of order.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { readMigrationStatus } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * await using db = await openSqlite(":memory:");
 * const migrations = [{ name: "0001_create_notes", sql: "create table notes (text text);" }];
 * assertEquals((await readMigrationStatus(db, migrations))[0]?.state, "pending");
 * ```
 */
export async function readMigrationStatus(
  db: Db,
  migrations: readonly Migration[],
): Promise<readonly MigrationStatus[]> {
  checkNumbers(migrations);
  const applied = await readApplied(db);
  const known = new Set(migrations.map(({ name }) => name));
  const own = await Promise.all(migrations.map(async (migration): Promise<MigrationStatus> => {
    const { name } = migration;
    const row = applied.find((each) => each.name === name);
    if (row === undefined) return { name, state: "pending", appliedAt: undefined };
    const state = row.checksum === await checksum(migration) ? "applied" : "changed";
    return { name, state, appliedAt: new Date(row.appliedAt) };
  }));
  const others = applied.filter(({ name }) => !known.has(name)).map((row): MigrationStatus => {
    const state = row.number > migrations.length ? "newer" : "missing";
    return { name: row.name, state, appliedAt: new Date(row.appliedAt) };
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

const Applied = struct({ number: int(), name: text(), checksum: text(), appliedAt: int() });
type Applied = Infer<typeof Applied>;

const selectApplied =
  `select number, name, checksum, applied_at from ${migrationsTable} order by number`;

const toApplied = compileRows(Applied, ["number", "name", "checksum", "applied_at"]) as (
  rows: readonly (readonly unknown[])[],
) => Applied[];

function createTable(engine: "sqlite" | "postgres"): string {
  const [int, options] = engine === "sqlite" ? ["integer", " strict"] : ["bigint", ""];
  return `create table if not exists ${migrationsTable} (
    number integer primary key, name text not null unique, checksum text not null, applied_at ${int} not null
  )${options}`;
}

async function readApplied(db: Db): Promise<readonly Applied[]> {
  const found = await db.all(int())`${
    rawText(
      db.engine === "sqlite"
        ? `select 1 from sqlite_schema where type = 'table' and name = '${migrationsTable}'`
        : `select 1 from pg_class where oid = to_regclass('${migrationsTable}')`,
    )
  }`;
  return found.length === 0 ? [] : await db.all(Applied)`-- scan: all\n${rawText(selectApplied)}`;
}

/** Returns the migrations missing from the database; throws if the others differ. */
async function findPending(
  applied: readonly Applied[],
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  for (const { number, name, checksum: known } of applied) {
    const own = migrations[number - 1];
    // Applied by a newer version of the application.
    if (own === undefined) continue;
    if (own.name !== name) {
      throw new MigrationError("missing", { migration: name, detail: own.name });
    }
    if (await checksum(own) !== known) throw new MigrationError("changed", { migration: name });
  }
  return migrations.slice(applied.length);
}

/** Applies the pending migrations up to the next one that runs alone, or only that one. */
async function applyPending(
  session: MigrationSession,
  engine: Engine,
  { migrations, alone }: { readonly migrations: readonly Migration[]; readonly alone: boolean },
): Promise<readonly string[]> {
  await session.exec(createTable(engine.dialect.engine));
  // Checked again under the lock, because another process may have been faster.
  const pending = await findPending(toApplied(await session.all(selectApplied)), migrations);
  const end = pending.findIndex((each, index) => isAlone(each) !== alone || (alone && index > 0));
  const group = end < 0 ? pending : pending.slice(0, end);
  for (const migration of group) {
    await applyStatements(session, migration, engine.dialect.engine);
    const { name } = migration;
    await checkReferences(session, name, engine.dialect.engine);
    // The name and the hash need no escaping.
    await session.exec(`insert into ${migrationsTable} (number, name, checksum, applied_at)
      values (${Number(name.slice(0, 4))}, '${name}', '${await checksum(migration)}', ${Date.now()})
      on conflict do nothing`);
  }
  return group.map(({ name }) => name);
}

/** Refused: changes of two WAL files are not atomic, and the other may be another application's. */
const otherDatabase = /^(?:at|de)tach$/;

async function applyStatements(
  session: MigrationSession,
  migration: Migration,
  engine: EngineName,
): Promise<void> {
  const { name } = migration;
  const alone = isAlone(migration);
  const statements = splitStatements(migration.sql, engine);
  const [first, second] = statements;
  if (first === undefined) throw new MigrationError("empty", { migration: name });
  if (alone && second !== undefined) {
    throw new MigrationError("alone", { migration: name, line: second.line });
  }
  for (const { sql, verb, line } of statements) {
    if (transactionVerbs.has(verb) || otherDatabase.test(verb)) {
      throw new MigrationError("transaction", { migration: name, line, detail: verb });
    }
    try {
      await (alone ? session.execAlone(sql) : session.exec(sql));
    } catch (cause) {
      const detail = errorText(cause).replace(/ at offset \d+$/, "").replace(` in ${sql}`, "");
      const at = line - 1 + lineAt(sql, errorOffset(cause, sql));
      throw new MigrationError("failed", { migration: name, line: at, detail, cause });
    }
  }
}

/** Checks all references after a migration, deferred ones included. @throws naming the migration. */
async function checkReferences(
  session: MigrationSession,
  migration: string,
  engine: "sqlite" | "postgres",
): Promise<void> {
  let detail: string | undefined;
  try {
    if (engine === "sqlite") {
      const [row] = await session.all("select * from pragma_foreign_key_check limit 1");
      detail = row &&
        `row ${row[1]} of "${row[0]}" points at a row of "${row[2]}" that does not exist`;
    } else {
      await session.exec("set constraints all immediate");
      await session.exec("set constraints all deferred");
    }
  } catch (cause) {
    // A foreign key that refers to columns without a unique index.
    detail = errorText(cause);
  }
  if (detail !== undefined) throw new MigrationError("foreign-key", { migration, detail });
}

/** Returns the position of an error in a statement, in characters from 0. */
function errorOffset(error: unknown, text: string): number {
  const { position }: { readonly position?: unknown } = Object(error);
  if (position !== undefined) return Math.max(0, Number(position) - 1);
  const [, bytes] = / at offset (\d+)$/.exec(errorText(error)) ?? [];
  // SQLite counts bytes.
  const before = new TextEncoder().encode(text).subarray(0, Number(bytes ?? 0));
  return new TextDecoder().decode(before).length;
}

/** Classes of Postgres errors whose detail is the key of a refused row; that of others has whole rows. */
const refusedKey = /^23(?:503|505|P01)$/;

function errorText(error: unknown): string {
  const { code, detail }: { readonly code?: unknown; readonly detail?: unknown } = Object(error);
  // A role that may not read the table gets no detail.
  const key = detail && refusedKey.test(String(code)) ? `: ${detail}`.replace(/\.$/, "") : "";
  return (error instanceof Error ? error.message : String(error)) + key;
}

const checksums: WeakMap<Migration, Promise<string>> = new WeakMap();

/** Returns a hash of the text that ignores line endings, which a checkout may change. Tests open many databases. */
const checksum = (migration: Migration): Promise<string> =>
  checksums.getOrInsertComputed(migration, hash);

async function hash({ sql }: Migration): Promise<string> {
  const text = sql.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  // Not `node:crypto`, which takes as long to load as a bare server to start (`bench/start`).
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex();
}
