import { openSqlite } from "../../data/sqlite/mod.ts";
import { openFile } from "./file_db.ts";
import { definitions, registerSuite } from "./suite.ts";

const subjects = [
  ["SQLite in memory", () => openSqlite(":memory:", { slowMs: 10_000 })],
  ["SQLite in a file", openFile],
] as const;
for (const [name, open] of subjects) {
  registerSuite({
    name,
    open: async () => {
      const db = await open();
      for (const text of definitions("sqlite")) db.raw.exec(text);
      return db;
    },
  });
}
