import { type Application, key, provide, use, variable } from "@fw/fw";
import { openSqliteSync } from "@fw/fw/sqlite";
import type { DatabaseSync } from "node:sqlite";
import { migrations } from "../migrations/mod.ts";

/** The database, as `Setup` provides it: `use(c, Database)`. */
export const Database = key<DatabaseSync>("database");

/** Opens the file that `FW_DB` names, or `data/app.sqlite`, and brings its schema up to date. */
export function openDatabase(app: Application): void {
  const db = openSqliteSync(variable(app, "FW_DB") ?? "data/app.sqlite", { migrations });
  app.check("database", () => void db.prepare("select 1").get());
  provide(app, Database, db);
}

/** Closes the database. */
export function closeDatabase(app: Application): void {
  use(app, Database).close();
}
