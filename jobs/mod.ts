/**
 * Work outside a request: jobs with retries, leases and dead letters, and schedules. The embedded engine keeps them in
 * the application's SQLite database.
 *
 * @example
 * ```ts
 * import { type Application, struct } from "@fw/fw";
 * import { daily, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const digest = job("digest", struct({}), (_, { log }) => log.info("digest"));
 *
 * export async function Setup(app: Application): Promise<void> {
 *   const schedule = [daily("07:00", digest, { zone: "Europe/Lisbon" })];
 *   const engine = sqliteJobs(await openSqlite("data/app.sqlite"));
 *   await provideJobs(app, engine, { jobs: [digest], schedule });
 * }
 * ```
 *
 * @module
 */
export { type BullJobs, bullJobs, type BullJobsOptions } from "./bull.ts";
export type {
  ClaimedJob,
  JobCounts,
  JobEngine,
  JobEntry,
  JobOutcome,
  JobWorker,
  ScheduleLook,
  StoredJob,
  WorkOptions,
} from "./engine.ts";
export {
  type Job,
  job,
  type JobOptions,
  type JobProgress,
  jobProgress,
  type JobRun,
} from "./job.ts";
export {
  enqueue,
  type EnqueueOptions,
  jobEngine,
  type JobsOptions,
  provideJobs,
  runJobs,
} from "./runtime.ts";
export {
  type PgBossClient,
  type PgBossDatabase,
  pgBossJobs,
  type PgBossJobsOptions,
} from "./pg_boss.ts";
export {
  type ClockOptions,
  cron,
  daily,
  every,
  type Schedule,
  type Weekday,
  weekly,
} from "./schedule.ts";
export { sqliteJobs, type SqliteJobsOptions } from "./sqlite.ts";
