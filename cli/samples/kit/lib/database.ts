import { type Application, key, provide, use, variable } from "@fw/fw";
import { openSqlite, type SqliteDb } from "@fw/fw/sqlite";
import { migrations } from "../migrations/mod.ts";

/** The database, as `Setup` provides it: `use(c, Database)`. */
export const Database = key<SqliteDb>("database");

/** Opens the database in a file and updates its schema. */
export function connect(path: string = "data/app.sqlite"): Promise<SqliteDb> {
  return openSqlite(path, { migrations });
}

/** Opens the database that `FW_DB` names. */
export async function openDatabase(app: Application): Promise<void> {
  const db = await connect(variable(app, "FW_DB"));
  app.check("database", async () => void await db.run`select 1`);
  provide(app, Database, db);
}

/** Closes the database. */
export async function closeDatabase(app: Application): Promise<void> {
  await use(app, Database).close();
}
