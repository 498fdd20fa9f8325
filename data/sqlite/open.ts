import { dirname as posixDirname } from "@std/path/posix/dirname";
import { dirname as windowsDirname } from "@std/path/windows/dirname";
import type { DatabaseSync } from "node:sqlite";
import { hideCredentials } from "../../runtime/addon.ts";
import { type Db, type DbOptions, EngineDb } from "../db.ts";
import { BusyError } from "../errors.ts";
import { migrate, type Migration } from "../migrate.ts";
import { SqliteEngine } from "./engine.ts";

// The entry points of std for both platforms load Node's `process`, a fifth of a start.
const dirname = Deno.build.os === "windows" ? windowsDirname : posixDirname;

/** Options of {@linkcode openSqlite}. */
export interface OpenSqliteOptions extends DbOptions {
  /** The versions of the schema, in order. @default [] */
  readonly migrations?: readonly Migration[];
  /** Maximum wait for a writer in another process, in milliseconds. @default 5_000 */
  readonly busyTimeoutMs?: number;
  /**
   * Durability of an acknowledged write: `full` survives a power failure, `process` a crash of the process.
   *
   * @default "full"
   */
  readonly durability?: "full" | "process";
  /** Whether to open an existing file for reading only. @default false */
  readonly readOnly?: boolean;
  /**
   * Memory for cached reads of a file, in bytes; 0 for none. Any commit to the file clears them.
   *
   * @default 4_194_304
   */
  readonly cacheBytes?: number;
}

/** A SQLite database. */
export interface SqliteDb extends Db {
  /**
   * The write connection. Its statements join any open transaction, so use it only for tasks that
   * {@linkcode Db} does not support, such as a backup.
   */
  readonly raw: DatabaseSync;
}

/**
 * Opens a database and applies pending migrations. The folder of the file is created if it is
 * missing. Reads do not wait for writes (`journal_mode = wal`), foreign keys are checked, and
 * waiting for another process's lock does not block the event loop.
 *
 * @param path The file, or `:memory:` for a private database in memory.
 * @param options Migrations, lock timeout, durability and cache.
 * @returns The database; the caller closes it.
 * @throws {MigrationError} if a migration cannot be applied; the database is then closed.
 * @throws {BusyError} if another process holds the file for too long.
 * @throws {Error} if it cannot be opened, or is not a database.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int } from "@fw/fw/data";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const migrations = [{ name: "0001_create_cities", sql: "create table cities (name text);" }];
 * await using db = await openSqlite(":memory:", { migrations });
 * assertEquals(await db.one(int())`select count(*) from cities`, 0);
 * ```
 */
export async function openSqlite(path: string, options: OpenSqliteOptions = {}): Promise<SqliteDb> {
  const { migrations = [], busyTimeoutMs = 5_000, durability = "full" } = options;
  const { readOnly = false, cacheBytes = 4_194_304 } = options;
  for (const [name, value] of Object.entries({ busyTimeoutMs, cacheBytes })) {
    if (Number.isSafeInteger(value) && value >= 0) continue;
    throw new RangeError(`Cannot open "${path}": ${name} is ${value}; use an integer from 0.`);
  }
  // For "" SQLite opens a private temporary file per connection, so reads would not see the writes.
  if (path === "" || /^[a-z][a-z\d+.-]+:/i.test(path)) {
    throw new TypeError(
      `Cannot open "${
        hideCredentials(path)
      }": pass a path of the file system, such as data/app.sqlite.`,
    );
  }
  if (path !== ":memory:" && !readOnly) await Deno.mkdir(dirname(path), { recursive: true });
  const engine = await SqliteEngine.open({ path, busyTimeoutMs, durability, readOnly, cacheBytes })
    .catch((error) => {
      if (error instanceof BusyError) throw error;
      throw new Error(`Cannot open "${path}": ${error.message}.`, { cause: error });
    });
  const db = Object.assign(new EngineDb(engine, options), { raw: engine.raw });
  try {
    if (migrations.length > 0) await migrate(db, migrations);
  } catch (error) {
    await db.close();
    throw error;
  }
  return db;
}
