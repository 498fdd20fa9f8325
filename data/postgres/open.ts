import { type Db, type DbOptions, EngineDb } from "../db.ts";
import { migrate, type Migration } from "../migrate.ts";
import type { PgPool, PostgresClient } from "./driver.ts";
import { PostgresEngine } from "./engine.ts";
import { pgDriver } from "./pg_driver.ts";
import { postgresDriver } from "./postgres_driver.ts";

/** Options of {@linkcode openPostgres}. */
export interface OpenPostgresOptions extends DbOptions {
  /** The versions of the schema, in order. @default [] */
  readonly migrations?: readonly Migration[];
  /** Whether statements are prepared; turn it off behind a pooler in transaction mode. @default true */
  readonly prepare?: boolean;
  /**
   * Returns settings for the caller's statements, such as `{ "app.tenant": "7" }`, which row
   * policies read with `current_setting`. Each statement has the settings of its caller, even
   * inside a transaction; outside of one, it runs in its own. @default () => ({})
   */
  readonly settings?: () => Readonly<Record<string, string>>;
}

/**
 * Creates a database from a client and applies pending migrations.
 *
 * @param client A `Pool` of `npm:pg`, or the client function of `npm:postgres` before its first statement, which then
 * sends text as it is, also to columns of JSON.
 * @param options Migrations, whether statements are prepared, and settings for row policies.
 * @returns The database; closing it closes the client.
 * @throws {MigrationError} if a migration cannot be applied.
 * @throws {BusyError} if the server cannot be reached.
 * @example
 * ```ts
 * import type { Db } from "@fw/fw/data";
 * import { openPostgres, type PgPool } from "@fw/fw/postgres";
 *
 * // import pg from "npm:pg@8"; const pool = new pg.Pool({ connectionString });
 * export function open(pool: PgPool): Promise<Db> {
 *   return openPostgres(pool, { migrations: [] });
 * }
 * ```
 */
export async function openPostgres(
  client: PgPool | PostgresClient,
  options: OpenPostgresOptions = {},
): Promise<Db> {
  const { migrations = [] } = options;
  const driver = "unsafe" in client ? postgresDriver(client) : pgDriver(client);
  const db = new EngineDb(new PostgresEngine(driver, options), options);
  if (migrations.length > 0) await migrate(db, migrations);
  return db;
}
