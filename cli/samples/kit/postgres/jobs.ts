/** The jobs of the application, in pg-boss and the same database as the data. */
import { type Application, key, provide, use, variable } from "@fw/fw";
import { pgBossJobs, provideJobs, type Schedule, sqliteJobs } from "@fw/fw/jobs";
import { openSqlite } from "@fw/fw/sqlite";
// deno-lint-ignore no-import-prefix -- in the import map every task would install it
import { PgBoss } from "npm:pg-boss@12";
import { lendReminder } from "../jobs/lend_reminder.ts";
import { Database } from "../lib/database.ts";

const jobs = [lendReminder];

/** The schedule, for example `daily("07:00", lendReminder, { zone: "Europe/Lisbon", value })`. */
const schedule: readonly Schedule[] = [];

const Closing = key<() => Promise<void>>("the end of the jobs");

/** Opens the jobs. The server runs them too, unless FW_JOBS=off leaves them to `deno task work`. */
export async function openJobs(app: Application): Promise<void> {
  const options = { jobs, schedule, runsWhileServing: variable(app, "FW_JOBS") !== "off" };
  const connectionString = variable(app, "FW_DB") ??
    "postgres://postgres@127.0.0.1:5432/postgres";
  if (connectionString === ":test:") {
    const db = await openSqlite(":memory:");
    provide(app, Closing, () => db.close());
    await provideJobs(app, sqliteJobs(db), options);
    return;
  }
  // Without a limit, a server that vanishes would stop the jobs of this process for good.
  const database = { connectionString, query_timeout: 30_000 };
  const boss = await new PgBoss(database).start();
  provide(app, Closing, () => boss.stop());
  await provideJobs(app, pgBossJobs(boss, { db: use(app, Database) }), options);
}

/** Closes the jobs. */
export async function closeJobs(app: Application): Promise<void> {
  await use(app, Closing)();
}
