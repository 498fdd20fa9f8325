import { type Application, key, provide, use, variable } from "@fw/fw";
import { openSqlite, type SqliteDb } from "@fw/fw/sqlite";
import { migrations } from "../migrations/mod.ts";

/** The database, as `Setup` provides it: `use(c, Database)`. */
export const Database = key<SqliteDb>("database");

/** Opens the file that `FW_DB` names, or `data/app.sqlite`, and brings its schema up to date. */
export async function openDatabase(app: Application): Promise<void> {
  const db = await openSqlite(variable(app, "FW_DB") ?? "data/app.sqlite", { migrations });
  app.check("database", async () => void await db.run`select 1`);
  provide(app, Database, db);
}

/** Closes the database. */
export async function closeDatabase(app: Application): Promise<void> {
  await use(app, Database).close();
}
