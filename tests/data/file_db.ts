import { join } from "@std/path";
import { openSqlite, type OpenSqliteOptions, type SqliteDb } from "../../data/sqlite/mod.ts";

/** Opens a database in a new file, whose folder is removed on close. */
export async function openFile(
  options: OpenSqliteOptions = {},
): Promise<SqliteDb & { readonly path: string }> {
  const folder = await Deno.makeTempDir();
  const path = join(folder, "a.sqlite");
  const db = await openSqlite(path, { slowMs: 60_000, ...options });
  const close = db.close.bind(db);
  db.close = async () => {
    await close();
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  };
  return Object.assign(db, { path });
}
