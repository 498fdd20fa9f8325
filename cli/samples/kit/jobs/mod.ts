/** The jobs of the application. */
import { type Application, key, provide, use, variable } from "@fw/fw";
import { provideJobs, type Schedule, sqliteJobs } from "@fw/fw/jobs";
import { openSqlite, type SqliteDb } from "@fw/fw/sqlite";
import { lendReminder } from "./lend_reminder.ts";

const jobs = [lendReminder];

/** What runs by the clock, for example `daily("07:00", lendReminder, { zone: "Europe/Lisbon", value })`. */
const schedule: readonly Schedule[] = [];

const JobsDatabase = key<SqliteDb>("jobs database");

/** Opens the jobs. They run beside requests; with FW_JOBS=off `deno task work` alone runs them. */
export async function openJobs(app: Application): Promise<void> {
  const db = await openSqlite(variable(app, "FW_DB") ?? "data/app.sqlite");
  provide(app, JobsDatabase, db);
  const runsWhileServing = variable(app, "FW_JOBS") !== "off";
  await provideJobs(app, sqliteJobs(db), { jobs, schedule, runsWhileServing });
}

/** Closes what the jobs opened. */
export async function closeJobs(app: Application): Promise<void> {
  await use(app, JobsDatabase).close();
}
