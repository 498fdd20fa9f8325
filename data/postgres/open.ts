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
}

/**
 * Creates a database from a client and applies pending migrations.
 *
 * @param client A `Pool` of `npm:pg`, or the client function of `npm:postgres` before its first statement, which then
 * sends text as it is, also to columns of JSON.
 * @param options Migrations, and whether statements are prepared.
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
