import { setTimeout as pause } from "node:timers/promises";
import { type Application, type Ctx, type Key, key, provide, use } from "../mod.ts";
import { useIfProvided } from "../runtime/addon.ts";
import { Attempts } from "./attempt.ts";
import type { JobEngine, JobEntry, JobOutcome, StopWork, WorkOptions } from "./engine.ts";
import { checkIntegers, type Job, neverMs } from "./job.ts";
import { writePayload } from "./payload.ts";
import type { Schedule } from "./schedule.ts";

/** Options of {@linkcode provideJobs}. */
export interface JobsOptions {
  /** The jobs of the application. */
  // deno-lint-ignore no-explicit-any -- each job has a value of its own
  readonly jobs: readonly Job<any>[];
  /** Maximum number of jobs that run at the same time in this process, in all or by queue. @default 10 */
  readonly concurrency?: number | Readonly<Record<string, number>>;
  /** Jobs that run by the clock. @default [] */
  readonly schedule?: readonly Schedule[];
  /** The time shutdown waits for jobs before it aborts them, and again before it leaves them, in ms. @default 5_000 */
  readonly graceMs?: number;
  /** Whether a process that serves also runs jobs; `false` leaves them to `runJobs`. @default true */
  readonly runsWhileServing?: boolean;
}

/** Options of {@linkcode enqueue}. */
export interface EnqueueOptions {
  /** Delay before it runs, in milliseconds. @default 0 */
  readonly delayMs?: number;
  /** When it runs, in place of `delayMs`. */
  readonly at?: Date;
  /** If a job of this name with the same key waits or runs, this one is not enqueued. */
  readonly key?: string;
  /** Overrides the priority of the job. */
  readonly priority?: number;
}

/** The longest pause between two looks at the clock: a laptop may sleep in between. */
const maxPauseMs = 30_000;

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
    for (const { job, value } of schedule) {
      if (this.#jobs.get(job.name) !== job) {
        throw new TypeError(`Cannot schedule "${job.name}": list it under jobs as well.`);
      }
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

  /** Maximum number of jobs that run at the same time, by queue. */
  get limits(): ReadonlyMap<string, number> {
    const concurrency = this.#concurrency;
    // Mail brings a job for the default queue.
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

  /** Starts claiming. `change` may change how an attempt ended. */
  work(onError: WorkOptions["onError"], change = (end: JobOutcome): JobOutcome => end): StopWork {
    return this.engine.work({
      names: [...this.#jobs.keys()],
      concurrency: this.limits,
      run: async (claimed) =>
        change(await this.#attempts.run(this.#jobs.get(claimed.name), claimed)),
      onError,
    });
  }

  /** Starts claiming and the clock. @returns A function that stops both and waits for running jobs, or aborts them. */
  start(): () => Promise<void> {
    const { log } = this.#app;
    const stopWork = this.work((error) => log.error("jobs: the engine failed", { error }));
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

  /** Enqueues the jobs of schedules when they are due, until the signal aborts. */
  async #runClock(signal: AbortSignal): Promise<void> {
    while (this.#schedules.length > 0 && !signal.aborted) {
      const now = new Date();
      let nearestMs = Infinity;
      for (const each of this.#schedules) {
        try {
          nearestMs = Math.min(nearestMs, await this.#advance(each, now));
        } catch (error) {
          // It holds up none of the others.
          this.#app.log.error("jobs: a schedule failed", { schedule: each.name, error });
        }
      }
      const pauseMs = Math.min(Math.max(nearestMs - Date.now(), 50), maxPauseMs);
      await pause(pauseMs, undefined, { signal }).catch(() => {});
    }
  }

  async #advance(each: Schedule, now: Date): Promise<number> {
    // What was slept through runs once: the next time is counted from now on.
    const [nowMs, nextMs] = [now.getTime(), each.next(now).getTime()];
    if (!(nextMs > nowMs)) throw new RangeError("Its next time is not in the future.");
    // The time after that may be stored already: a clock that was set back a little makes no job run twice.
    const isLast = nextMs >= neverMs;
    const latestMs = isLast ? nextMs : each.next(new Date(nextMs)).getTime();
    const entry = this.toEntry(each.job, each.value, {});
    return await this.engine.advance(each.name, { nowMs, nextMs, latestMs, entry });
  }
}

export const AppJobs: Key<Jobs> = key("jobs");
const MailJob = key<Job>("job of mail");

/** Adds the job that sends mails, before or after `provideJobs`. */
export function addMailJob<T>(app: Application, job: Job<T>): void {
  provide(app, MailJob, job as Job);
  useIfProvided(app, AppJobs)?.add(job as Job);
}

/**
 * Returns what keeps the jobs of an application: counts them, lists them, retries and drops dead ones. For
 * pages of operators, which need a guard.
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
 * Provides jobs to an application, in `Setup`. They run beside requests while the application serves, and appear in
 * health checks and metrics.
 *
 * @throws {TypeError} for two jobs with one name, for a schedule of a job that is not listed, and for a concurrency of a
 * queue that no job uses; `RangeError` for an option out of range.
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
 * Enqueues a job. Inside `db.tx` of the database that keeps it, the job exists only if the transaction commits.
 *
 * @param owner The context of the request, whose request and trace the job's log lines carry, or the
 * application.
 * @returns `false` if a job with this key waits or runs already.
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
 * Runs the jobs of an application without serving it, until SIGINT or SIGTERM: a process of its own for work.
 *
 * @param app The application, as `newApp()` gives it.
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
  const signals: Deno.Signal[] = Deno.build.os === "windows" ? ["SIGINT"] : ["SIGINT", "SIGTERM"];
  for (const signal of signals) Deno.addSignalListener(signal, end);
  const stop = use(app, AppJobs).start();
  app.log.info("jobs run");
  await ended;
  for (const signal of signals) Deno.removeSignalListener(signal, end);
  await stop().finally(() => app.shutdown());
}
