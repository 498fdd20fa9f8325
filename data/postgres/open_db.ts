import { type Db, type DbOptions, EngineDb } from "../db.ts";
import { createDriver, type PgPool, type PostgresClient } from "./driver.ts";
import { PostgresEngine } from "./engine.ts";

export function openDb(
  client: PgPool | PostgresClient,
  options: DbOptions & { prepare?: boolean } = {},
): Db {
  return new EngineDb(new PostgresEngine(createDriver(client), options.prepare ?? true), options);
}
