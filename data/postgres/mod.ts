/**
 * Postgres over a client that the application creates: `npm:pg`, which is recommended, or
 * `npm:postgres`. For the API of a database see `@fw/fw/data`.
 *
 * @module
 */
export type {
  PgClient,
  PgPool,
  PostgresClient,
  PostgresPending,
  PostgresQueries,
} from "./driver.ts";
export { openPostgres, type OpenPostgresOptions } from "./open.ts";
export { type DatabaseStoresOptions, postgresStores } from "../stores/stores.ts";
