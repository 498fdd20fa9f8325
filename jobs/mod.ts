/**
 * Background work: jobs with retries, leases and dead letters, and schedules. The embedded engine stores
 * them in the application's SQLite database. Start with {@linkcode job} and {@linkcode provideJobs}.
 *
 * @module
 */
export * from "./bull.ts";
export type * from "./engine.ts";
export {
  type Job,
  job,
  type JobOptions,
  type JobProgress,
  jobProgress,
  type JobRun,
  PermanentError,
} from "./job.ts";
export {
  enqueue,
  enqueueNamed,
  type EnqueueOptions,
  jobEngine,
  type JobsOptions,
  provideJobs,
  runJobs,
} from "./runtime.ts";
export * from "./pg_boss.ts";
export * from "./schedule.ts";
export * from "./sqlite.ts";
