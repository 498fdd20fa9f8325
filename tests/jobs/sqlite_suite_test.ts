import { openSqlite } from "../../data/sqlite/mod.ts";
import { sqliteJobs } from "../../jobs/mod.ts";
import { engineTests } from "./suite.ts";

for (const [name, run] of engineTests) {
  Deno.test(`sqliteJobs: ${name}`, async () => {
    await using db = await openSqlite(":memory:");
    await run(sqliteJobs(db, { pollMs: 10 }));
  });
}
