/**
 * Postgres over a client that the application creates: `npm:pg`, which is recommended, or
 * `npm:postgres`. For the API of a database see `@fw/fw/data`.
 *
 * @example
 * ```ts
 * import type { Db } from "@fw/fw/data";
 * import { openPostgres, type PgPool } from "@fw/fw/postgres";
 *
 * // import pg from "npm:pg@8"; const pool = new pg.Pool({ connectionString });
 * export function open(pool: PgPool): Promise<Db> {
 *   return openPostgres(pool);
 * }
 * ```
 *
 * @module
 */
export type {
  PgClient,
  PgPool,
  PgQuery,
  PgResult,
  PostgresClient,
  PostgresPending,
  PostgresQueries,
} from "./driver.ts";
export { openPostgres, type OpenPostgresOptions } from "./open.ts";
export type { DatabaseStoresOptions } from "../stores/stores.ts";
export { postgresStores } from "./stores.ts";
