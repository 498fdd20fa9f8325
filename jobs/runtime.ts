import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Ctx, type Key, key, provide, use } from "../mod.ts";
import { onStopSignals, useIfProvided } from "../runtime/addon.ts";
import { Attempts } from "./attempt.ts";
import type { JobEngine, JobEntry, JobOutcome, StopWork, WorkOptions } from "./engine.ts";
import { checkIntegers, type Job, neverMs } from "./job.ts";
import { writePayload } from "./payload.ts";
import type { Schedule } from "./schedule.ts";

/** Options of {@linkcode provideJobs}. */
export interface JobsOptions {
  /** The kinds of jobs of the application. */
  // deno-lint-ignore no-explicit-any -- each job has a value of its own
  readonly jobs: readonly Job<any>[];
  /** Maximum number of concurrent jobs in this process, in total or by queue. @default 10 */
  readonly concurrency?: number | Readonly<Record<string, number>>;
  /** Schedules of jobs. @default [] */
  readonly schedule?: readonly Schedule[];
  /** Grace period before shutdown aborts jobs, and again before it abandons them, in ms. @default 5_000 */
  readonly graceMs?: number;
  /** Whether serving processes also run jobs; `false` leaves them to `runJobs`. @default true */
  readonly runsWhileServing?: boolean;
}

/** Options of {@linkcode enqueue}. */
export interface EnqueueOptions {
  /** Delay before it runs, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /** The time at which it runs, instead of `delayMs`. */
  readonly at?: Date;
  /** If a job of this name with the same key is waiting or running, this one is not enqueued. */
  readonly key?: string;
  /** Overrides the priority of the job. */
  readonly priority?: number;
}

/** The maximum pause between checks of the clock, because a laptop may sleep in between. */
const maxPauseMs = 30_000;

/** The interval at which the same failure of the engine is logged, in milliseconds. */
const tellEveryMs = 60_000;

export class Jobs {
  readonly #app: Application;
  readonly engine: JobEngine;
  readonly #jobs: Map<string, Job> = new Map();
  readonly #schedules: readonly Schedule[];
  readonly #concurrency: number | Readonly<Record<string, number>>;
  readonly #attempts: Attempts;

  constructor(app: Application, engine: JobEngine, options: JobsOptions) {
    const { jobs, concurrency = 10, schedule = [], graceMs = 5_000 } = options;
    checkIntegers("provide jobs", typeof concurrency === "number" ? { concurrency } : concurrency);
    checkIntegers("provide jobs", { graceMs }, 0);
    this.#app = app;
    this.engine = engine;
    this.#schedules = schedule;
    this.#concurrency = concurrency;
    this.#attempts = new Attempts(app, graceMs);
    for (const job of [...jobs, useIfProvided(app, MailJob) ?? []].flat()) this.add(job);
    const queues = typeof concurrency === "number" ? [] : Object.keys(concurrency);
    const unused = queues.find((queue) => !this.limits.has(queue));
    if (unused !== undefined) {
      const used = [...this.limits.keys()].join(", ");
      throw new TypeError(
        `Cannot provide jobs: concurrency names the queue "${unused}", which no job uses; the queues are ${used}.`,
      );
    }
    const names = new Set<string>();
    for (const { name, job, value } of schedule) {
      if (this.#jobs.get(job.name) !== job) {
        throw new TypeError(`Cannot schedule "${job.name}": list it under jobs as well.`);
      }
      // Both would share one stored time, so that only one of them would run.
      if (names.has(name)) {
        throw new TypeError(`Cannot schedule "${name}" twice: use cron with a name for each.`);
      }
      names.add(name);
      writePayload(job, value);
    }
  }

  /** Adds a job. @throws {TypeError} if another one has its name. */
  add(job: Job): void {
    const known = this.#jobs.get(job.name);
    if (known !== undefined && known !== job) {
      throw new TypeError(`Cannot provide two jobs named "${job.name}": rename one.`);
    }
    this.#jobs.set(job.name, job);
  }

  get names(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** Maximum number of concurrent jobs, by queue. */
  get limits(): ReadonlyMap<string, number> {
    const concurrency = this.#concurrency;
    // Mail adds a job to the default queue.
    const own = [...this.#jobs.values()].map(({ options }) => options.queue);
    const queues = new Set(["default", ...own]);
    return new Map([...queues].map((queue) => [
      queue,
      typeof concurrency === "number" ? concurrency : concurrency[queue] ?? 10,
    ]));
  }

  toEntry<T>(job: Job<T>, value: T, options: EnqueueOptions): JobEntry {
    const { name } = job;
    const { delayMs = 0, at, key, priority = job.options.priority } = options;
    if (this.#jobs.get(name) === undefined) {
      throw new TypeError(`Cannot enqueue "${name}": list it under jobs of provideJobs.`);
    }
    const runAtMs = Math.round(at?.getTime() ?? Date.now() + delayMs);
    if (!Number.isSafeInteger(runAtMs)) {
      throw new RangeError(`Cannot enqueue "${name}": its time is not valid.`);
    }
    if (!Number.isSafeInteger(priority)) {
      throw new RangeError(`Cannot enqueue "${name}": priority ${priority} is not an integer.`);
    }
    const { queue, attempts } = job.options;
    return { name, queue, payload: writePayload(job, value), runAtMs, priority, attempts, key };
  }

  /** Returns the entry of a job that an operator starts. */
  toNamedEntry(name: string, value: unknown): JobEntry {
    const job = this.#jobs.get(name);
    if (job === undefined) {
      throw new TypeError(`Cannot enqueue "${name}": the jobs are ${this.names.join(", ")}.`);
    }
    const planned = this.#schedules.find((each) => each.job === job);
    if (value !== undefined || planned === undefined) return this.toEntry(job, value ?? {}, {});
    return this.toEntry(job, planned.value, { key: planned.name });
  }

  /** Starts claiming. `change` may replace the outcome of an attempt. */
  work(onError: WorkOptions["onError"], change = (end: JobOutcome): JobOutcome => end): StopWork {
    return this.engine.work({
      names: this.names,
      concurrency: this.limits,
      run: async (claimed) =>
        change(await this.#attempts.run(this.#jobs.get(claimed.name), claimed)),
      onError,
    });
  }

  /** Starts claiming and the schedules. @returns A function that stops both and ends running jobs. */
  start(): () => Promise<void> {
    const { log } = this.#app;
    let [told, toldAtMs] = ["", 0];
    const stopWork = this.work((error) => {
      // Each poll fails while the server is down.
      if (String(error) === told && performance.now() < toldAtMs + tellEveryMs) return;
      [told, toldAtMs] = [String(error), performance.now()];
      log.error("jobs: the engine failed", { error });
    });
    const running = new AbortController();
    const clock = this.#runClock(running.signal);
    return async () => {
      running.abort();
      const stopping = new AbortController();
      const left = this.#attempts.abortLate(stopping.signal);
      await Promise.all([stopWork(left), Promise.race([clock, left])])
        .finally(() => stopping.abort());
    };
  }

  /** Enqueues scheduled jobs when they are due, until the signal aborts. */
  async #runClock(signal: AbortSignal): Promise<void> {
    while (this.#schedules.length > 0 && !signal.aborted) {
      const startMs = performance.now();
      let nearestMs = Infinity;
      for (const each of this.#schedules) {
        try {
          nearestMs = Math.min(nearestMs, await this.#advance(each));
        } catch (error) {
          // A failed schedule does not block the others.
          this.#app.log.error("jobs: a schedule failed", { schedule: each.name, error });
        }
      }
      const leftMs = nearestMs - (performance.now() - startMs);
      const pauseMs = Math.min(Math.max(leftMs, 50), maxPauseMs);
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Enqueues a job that is due. @returns The milliseconds until the next time. */
  async #advance(each: Schedule): Promise<number> {
    const now = new Date(await this.engine.nowMs?.() ?? Date.now());
    // Times missed during sleep run once: the next time is computed from now.
    const [nowMs, nextMs] = [now.getTime(), each.next(now).getTime()];
    if (!(nextMs > nowMs)) throw new RangeError("Its next time is not in the future.");
    // The stored time may be the one after: a clock set back slightly must not run a job twice.
    const isLast = nextMs >= neverMs;
    const latestMs = isLast ? nextMs : each.next(new Date(nextMs)).getTime();
    // The key skips a time while the job of an earlier one still waits or runs.
    const entry = this.toEntry(each.job, each.value, { key: each.name });
    return await this.engine.advance(each.name, { nowMs, nextMs, latestMs, entry }) - nowMs;
  }
}

export const AppJobs: Key<Jobs> = key("jobs");
const MailJob = key<Job>("job of mail");

/** Adds the job that sends emails, before or after `provideJobs`. */
export function addMailJob<T>(app: Application, job: Job<T>): void {
  provide(app, MailJob, job as Job);
  useIfProvided(app, AppJobs)?.add(job as Job);
}

/**
 * Returns the job engine of an application, to count and list jobs and to retry or drop dead ones.
 * It is meant for admin pages, which need a guard.
 *
 * @throws {TypeError} if no jobs were provided.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { jobEngine } from "@fw/fw/jobs";
 *
 * export const GET = async (c: Ctx) => c.json(200, await jobEngine(c).list("dead"));
 * ```
 */
export function jobEngine(owner: Application | Ctx): JobEngine {
  return use(owner, AppJobs).engine;
}

/**
 * Provides jobs to an application, in `Setup`. They run in the serving process and appear in health
 * checks and metrics.
 *
 * @throws {TypeError} for two jobs or schedules with the same name, a schedule of an unlisted job, or a
 * concurrency for an unused queue; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { type Application, struct } from "@fw/fw";
 * import { every, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const sweep = job("sweep", struct({}), () => {});
 *
 * export async function Setup(app: Application): Promise<void> {
 *   const engine = sqliteJobs(await openSqlite("data/app.sqlite"));
 *   await provideJobs(app, engine, { jobs: [sweep], schedule: [every(3_600_000, sweep)] });
 * }
 * ```
 */
export async function provideJobs(
  app: Application,
  engine: JobEngine,
  options: JobsOptions,
): Promise<void> {
  const jobs = new Jobs(app, engine, options);
  await engine.open([...jobs.limits.keys()]);
  provide(app, AppJobs, jobs);
  app.check("jobs", async () => {
    const { waiting, running, dead, oldestMs } = await engine.counts();
    const { metrics } = app;
    metrics.gauge("fw_jobs_waiting", "Jobs that wait.").set(waiting);
    metrics.gauge("fw_jobs_running", "Jobs that run.").set(running);
    metrics.gauge("fw_jobs_dead", "Jobs that failed for good.").set(dead);
    metrics.gauge("fw_jobs_oldest_seconds", "Age of the oldest due job.").set(oldestMs / 1_000);
  });
  if (options.runsWhileServing ?? true) app.onStart(() => jobs.start());
}

/**
 * Enqueues a job. Inside `db.tx` of the engine's database, the job exists only if the transaction commits.
 *
 * @param owner The context of the request, whose request and trace ids appear in the job's log
 * lines, or the application.
 * @returns `false` if a job with this key is already waiting or running.
 * @throws {TypeError} if the value does not fit the schema; `RangeError` for a malformed time or priority.
 * @example
 * ```ts
 * import { type Ctx, int, struct } from "@fw/fw";
 * import { enqueue, job } from "@fw/fw/jobs";
 *
 * const remind = job("remind", struct({ event: int("required") }), () => {});
 *
 * export const POST = async (c: Ctx) =>
 *   c.json(202, { isNew: await enqueue(c, remind, { event: 1 }, { key: "event 1" }) });
 * ```
 */
export async function enqueue<T>(
  owner: Ctx | Application,
  job: Job<T>,
  value: T,
  options: EnqueueOptions = {},
): Promise<boolean> {
  const jobs = use(owner, AppJobs);
  const { requestId = undefined, traceId = undefined } = "requestId" in owner ? owner : {};
  return await jobs.engine.enqueue({ ...jobs.toEntry(job, value, options), requestId, traceId });
}

/**
 * Enqueues a job by its name, for a command or a page of operators.
 *
 * @param value The value. @default that of the job's first schedule, else {}
 * @returns `false` if the job of the schedule is already waiting or running.
 * @throws {TypeError} for a name that is not provided, or a value that does not fit.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { enqueueNamed } from "@fw/fw/jobs";
 *
 * export const POST = async (c: Ctx) =>
 *   c.json(202, { isNew: await enqueueNamed(c, c.param("name")) });
 * ```
 */
export async function enqueueNamed(
  owner: Ctx | Application,
  name: string,
  value?: unknown,
): Promise<boolean> {
  const jobs = use(owner, AppJobs);
  return await jobs.engine.enqueue(jobs.toNamedEntry(name, value));
}

/**
 * Runs the jobs of an application without serving it, until SIGINT or SIGTERM: for a worker process.
 *
 * @param app The application, from `newApp()`.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { runJobs } from "@fw/fw/jobs";
 *
 * // work.ts: what serves has `runsWhileServing: false`.
 * const app = new App(); // in an app: await newApp() of fw_gen.ts
 * if (import.meta.main) await runJobs(app);
 * ```
 */
export async function runJobs(app: Application): Promise<void> {
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const unhook = onStopSignals((signal) => {
    app.log.info("shutting down", { signal });
    end();
  }, (_, code) => Deno.exit(code));
  const stop = use(app, AppJobs).start();
  app.log.info("jobs run");
  await ended;
  await stop().finally(() => app.shutdown());
  unhook();
}
