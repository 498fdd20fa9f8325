/** Opens a SQLite database. */
import { type Db, type DbOptions, EngineDb } from "../db.ts";
import { SqliteEngine } from "./engine.ts";

/** How {@linkcode openSqlite} opens a database. */
export interface OpenOptions extends DbOptions {
  readonly busyTimeoutMs?: number;
  readonly durability?: "full" | "process";
}

export async function openDb(path: string, options: OpenOptions = {}): Promise<Db> {
  const { busyTimeoutMs = 5_000, durability = "full" } = options;
  return new EngineDb(await SqliteEngine.open({ path, busyTimeoutMs, durability }), options);
}
