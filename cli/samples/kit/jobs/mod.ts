/** The jobs of the application. */
import { type Application, use, variable } from "@fw/fw";
import { provideJobs, type Schedule, sqliteJobs } from "@fw/fw/jobs";
import { Database } from "../lib/database.ts";
import { lendReminder } from "./lend_reminder.ts";

const jobs = [
  // if job
  lendReminder,
  // end
];

/** The schedule, for example `daily("07:00", lendReminder, { zone: "Europe/Lisbon", value })`. */
const schedule: readonly Schedule[] = [];

/** Opens the jobs. The server runs them too, unless FW_JOBS=off leaves them to `deno task work`. */
export async function openJobs(app: Application): Promise<void> {
  const runsWhileServing = variable(app, "FW_JOBS") !== "off";
  await provideJobs(app, sqliteJobs(use(app, Database)), { jobs, schedule, runsWhileServing });
}
