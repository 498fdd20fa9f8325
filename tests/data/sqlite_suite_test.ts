import { join } from "@std/path";
import { openSqlite } from "../../data/sqlite/mod.ts";
import { definitions, registerSuite } from "./suite.ts";

for (const [name, inMemory] of [["SQLite in memory", true], ["SQLite in a file", false]] as const) {
  registerSuite({
    name,
    open: async () => {
      const folder = inMemory ? undefined : await Deno.makeTempDir();
      const path = folder === undefined ? ":memory:" : join(folder, "a.sqlite");
      const db = await openSqlite(path, { slowMs: 10_000 });
      for (const text of definitions("sqlite")) db.raw.exec(text);
      if (folder !== undefined) {
        const close = db.close.bind(db);
        db.close = async () => {
          await close();
          await Deno.remove(folder, { recursive: true }).catch(() => {});
        };
      }
      return db;
    },
  });
}
