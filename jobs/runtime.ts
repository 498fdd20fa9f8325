/** Jobs of an application: enqueueing, running and counting them. */
import {
  type Application,
  type Channel,
  type Counter,
  type Ctx,
  type Histogram,
  key,
  type Logger,
  provide,
  publish,
  use,
} from "../mod.ts";
import { useIfProvided } from "../runtime/addon.ts";
import type {
  ClaimedJob,
  JobEngine,
  JobEntry,
  JobOrigin,
  JobOutcome,
  JobWorker,
} from "./engine.ts";
import { checkIntegers, type Job, type JobProgress, jobProgress, type JobRun } from "./job.ts";
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
  /**
   * Time for which shutdown waits for running jobs before it aborts them, in milliseconds, and again before it
   * leaves those that ignore their signal: their lease expires, and another process runs them.
   *
   * @default 5_000
   */
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
  /** A job of this name with the same key that waits or runs makes this one needless. */
  readonly key?: string;
  /** Overrides the priority of the job. */
  readonly priority?: number;
}

const maxBackoffMs = 3_600_000;
const maxPayloadChars = 1_000_000;
/** The longest pause between two looks at the clock: a laptop may sleep in between. */
const maxTickMs = 30_000;

/** The jobs of one application. */
export class Jobs {
  readonly app: Application;
  readonly engine: JobEngine;
  readonly #jobs: Map<string, Job> = new Map();
  readonly #options: Required<JobsOptions>;
  /** Controllers that abort the running jobs, and that release them. */
  readonly #running: Set<{
    readonly controller: AbortController;
    readonly leave: (end: "left") => void;
  }> = new Set();
  readonly #attempts: Counter<readonly ["job", "outcome"]>;
  readonly #durations: Histogram<readonly ["job"]>;
  #isAborting = false;
  #worker: JobWorker | undefined;
  #tick: ReturnType<typeof setTimeout> | undefined;
  #ticking: Promise<void> | undefined;
  #isStopping = false;

  constructor(app: Application, engine: JobEngine, options: JobsOptions) {
    this.app = app;
    this.engine = engine;
    const { metrics } = app;
    const help = "Attempts of jobs by outcome.";
    this.#attempts = metrics.counter("fw_jobs_total", help, "job", "outcome");
    const buckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];
    const name = "fw_job_duration_seconds";
    this.#durations = metrics.histogram(name, "Duration of attempts of jobs.", buckets, "job");
    this.#options = {
      concurrency: 10,
      schedule: [],
      graceMs: 5_000,
      runsWhileServing: true,
      ...options,
    };
    const { concurrency, graceMs } = this.#options;
    const limits = typeof concurrency === "number" ? { concurrency } : concurrency;
    checkIntegers("provide jobs", limits);
    checkIntegers("provide jobs", { graceMs }, 0);
    for (const job of [...this.#options.jobs, ...useIfProvided(app, AddedJobs) ?? []]) {
      this.add(job);
    }
    if (typeof concurrency !== "number") {
      const unused = Object.keys(concurrency).find((queue) => !this.limits.has(queue));
      if (unused !== undefined) {
        const queues = [...this.limits.keys()].join(", ");
        throw new TypeError(
          `Cannot provide jobs: concurrency names the queue "${unused}", which no job uses; the queues are ${queues}.`,
        );
      }
    }
    for (const { job, value } of this.#options.schedule) {
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

  get names(): readonly string[] {
    return [...this.#jobs.keys()];
  }

  /** Maximum number of jobs that run at the same time, by queue. */
  get limits(): ReadonlyMap<string, number> {
    const { concurrency } = this.#options;
    // Add-ons bring jobs for the default queue.
    const own = [...this.#jobs.values()].map(({ options }) => options.queue);
    const queues = new Set(["default", ...own]);
    return new Map([...queues].map((queue) => [
      queue,
      typeof concurrency === "number" ? concurrency : concurrency[queue] ?? 10,
    ]));
  }

  get runsWhileServing(): boolean {
    return this.#options.runsWhileServing;
  }

  async enqueue<T>(
    job: Job<T>,
    value: T,
    options: EnqueueOptions & { readonly origin?: JobOrigin },
  ): Promise<boolean> {
    return await this.engine.enqueue([this.#entry(job, value, options)]) === 1;
  }

  #entry<T>(
    job: Job<T>,
    value: T,
    options: EnqueueOptions & { readonly origin?: JobOrigin },
  ): JobEntry {
    const { name } = job;
    const { delayMs = 0, at, key, priority = job.options.priority, origin = {} } = options;
    if (this.#jobs.get(name) === undefined) {
      throw new TypeError(`Cannot enqueue "${name}": list it under jobs of provideJobs.`);
    }
    const runAtMs = Math.round(at?.getTime() ?? Date.now() + delayMs);
    if (!Number.isSafeInteger(runAtMs)) {
      throw new RangeError(`Cannot enqueue "${name}": its time is not valid.`);
    }
    if (!Number.isSafeInteger(priority)) {
      throw new RangeError(
        `Cannot enqueue "${name}": its priority is ${priority}; use an integer.`,
      );
    }
    const { queue, attempts, backoffMs } = job.options;
    const payload = writePayload(job, value);
    return { name, queue, payload, runAtMs, priority, attempts, backoffMs, key, origin };
  }

  /** Starts claiming and the clock. */
  async start(): Promise<void> {
    this.#worker = await this.engine.work({
      names: this.names,
      concurrency: this.limits,
      run: (claimed, onLate) => this.run(claimed, onLate),
      onError: (error) => this.app.log.error("jobs: the engine failed", { error }),
    });
    this.#nextTick();
  }

  #nextTick(): void {
    const { schedule } = this.#options;
    if (schedule.length === 0 || this.#isStopping) return;
    this.#ticking = this.#runSchedules(new Date()).then((nextMs) => {
      if (this.#isStopping) return;
      const pauseMs = Math.min(Math.max(nextMs - Date.now(), 50), maxTickMs);
      this.#tick = setTimeout(() => this.#nextTick(), pauseMs);
    });
  }

  /** Enqueues what is due; a schedule that fails holds up none of the others. @returns When the next one is. */
  async #runSchedules(now: Date): Promise<number> {
    let nearestMs = Infinity;
    for (const each of this.#options.schedule) {
      try {
        nearestMs = Math.min(nearestMs, await this.#runSchedule(each, now));
      } catch (error) {
        this.app.log.error("jobs: a schedule failed", { schedule: each.name, error });
      }
    }
    return nearestMs;
  }

  async #runSchedule(each: Schedule, now: Date): Promise<number> {
    // What was slept through runs once: the next time is counted from now on.
    const nextMs = each.next(now).getTime();
    if (!(nextMs > now.getTime())) throw new RangeError("Its next time is not in the future.");
    const atMs = await this.engine.nextOccurrence(each.name, nextMs);
    if (atMs > now.getTime()) return atMs;
    const entry = this.#entry(each.job, each.value, { key: `${each.name} ${atMs}` });
    await this.engine.claimOccurrence({ schedule: each.name, atMs, nextMs, entry });
    return nextMs;
  }

  /** Runs one job. Never rejects. `onLate` is called when it ignores its deadline. */
  async run(claimed: ClaimedJob, onLate?: () => void): Promise<JobOutcome> {
    // A claim that was under way when shutdown began: nothing would abort it any more.
    if (this.#isAborting) return { kind: "returned" };
    const { name, attempt } = claimed;
    const job = this.#jobs.get(name);
    if (job === undefined) {
      // A newer process may know it, where the engine cannot tell jobs apart by their names.
      const retryAtMs = attempt < 10 ? Date.now() + maxTickMs : undefined;
      return { kind: "failed", error: "the application has no such job", retryAtMs };
    }
    const startedMs = performance.now();
    const { timeoutMs } = job.options;
    const log = this.#lazyLog(claimed);
    // One controller for the deadline and for shutdown: `AbortSignal.any` takes longer than all else here (bench/jobs).
    const controller = new AbortController();
    const { signal } = controller;
    let timer = setTimeout(() => {
      controller.abort(
        new DOMException(`The job took longer than ${timeoutMs} ms`, "TimeoutError"),
      );
      timer = setTimeout(() => {
        // It cannot be stopped, and must not run twice at the same time: it goes on beside the others.
        log().error("job ignores its deadline", { timeout_ms: timeoutMs });
        onLate?.();
      }, this.#options.graceMs);
    }, timeoutMs);
    const left = Promise.withResolvers<"left">();
    const running = { controller, leave: left.resolve };
    this.#running.add(running);
    let outcome: JobOutcome;
    try {
      const value = await readPayload(job, claimed.payload);
      const end = await Promise.race([
        job.run(value, new Run(this.app, claimed, { signal, log })),
        left.promise,
      ]);
      // Work that goes on after its deadline has failed, even if it ends well.
      if (end !== "left" && !this.#isAborting) signal.throwIfAborted();
      outcome = { kind: end === "left" ? "abandoned" : "done" };
      if (end === "left") log().warn("job ignores its signal and is left at shutdown");
    } catch (error) {
      outcome = this.#isAborting ? { kind: "returned" } : this.#fail(job, { error, attempt, log });
    } finally {
      clearTimeout(timer);
      this.#running.delete(running);
    }
    this.#count(name, outcome, (performance.now() - startedMs) / 1_000);
    return outcome;
  }

  /** Returns what makes the logger of an attempt when it is first used. */
  #lazyLog({ name, id, attempt, origin }: ClaimedJob): () => Logger {
    let log: Logger | undefined;
    return () =>
      log ??= this.app.log.with({
        job: name,
        job_id: id,
        attempt,
        ...(origin.requestId !== undefined && { request_id: origin.requestId }),
        ...(origin.traceId !== undefined && { trace_id: origin.traceId }),
      });
  }

  #fail(
    { options: { attempts, backoffMs } }: Job,
    { error, attempt, log }: {
      readonly error: unknown;
      readonly attempt: number;
      readonly log: () => Logger;
    },
  ): JobOutcome {
    const isDead = error instanceof PayloadError || attempt >= attempts;
    const pauseMs = Math.min(backoffMs * 2 ** (attempt - 1), maxBackoffMs) *
      (0.75 + Math.random() / 2);
    if (isDead) log().error("job is dead", { error });
    else log().warn("job failed and runs again", { error });
    return {
      kind: "failed",
      error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
      retryAtMs: isDead ? undefined : Math.round(Date.now() + pauseMs),
    };
  }

  #count(name: string, outcome: JobOutcome, seconds: number): void {
    const isDead = outcome.kind === "failed" && outcome.retryAtMs === undefined;
    this.#attempts.with(name, isDead ? "dead" : outcome.kind).inc();
    this.#durations.with(name).observe(seconds);
  }

  /** Stops claiming and waits; what is not done after the grace is aborted and given back, or left. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#tick);
    await this.#ticking;
    clearTimeout(this.#tick);
    const { graceMs } = this.#options;
    let timer = setTimeout(() => {
      this.#isAborting = true;
      const reason = new DOMException("The process is shutting down.", "AbortError");
      for (const { controller } of this.#running) controller.abort(reason);
      timer = setTimeout(() => {
        for (const { leave } of this.#running) leave("left");
      }, graceMs);
    }, graceMs);
    await this.#worker?.stop();
    clearTimeout(timer);
  }
}

/** The shortest time between two messages of progress. */
const progressMs = 200;

/** The run of a job. */
class Run implements JobRun {
  readonly app: Application;
  readonly id: string;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly #log: () => Logger;
  readonly #channel: () => Channel<JobProgress>;
  #toldMs = -Infinity;

  constructor(app: Application, { id, name, attempt, key }: ClaimedJob, { signal, log }: {
    readonly signal: AbortSignal;
    readonly log: () => Logger;
  }) {
    this.app = app;
    this.id = id;
    this.attempt = attempt;
    this.signal = signal;
    this.#log = log;
    this.#channel = () => jobProgress({ name }, key ?? id);
  }

  get log(): Logger {
    return this.#log();
  }

  async progress(done: number, total: number): Promise<void> {
    const now = performance.now();
    if (done < total && now - this.#toldMs < progressMs) return;
    this.#toldMs = now;
    try {
      await publish(this.app, this.#channel(), { done, total });
    } catch (error) {
      // A bar that stands still fails no import.
      this.log.warn("job progress was not told", { error });
    }
  }
}

const AppJobs = key<Jobs>("jobs");
const AddedJobs = key<Job[]>("jobs of add-ons");

/** Returns the jobs of an application. */
export function jobsOf(owner: Application | Ctx): Jobs {
  return use(owner, AppJobs);
}

/** Whether jobs were provided. */
export function hasJobs(owner: Application | Ctx): boolean {
  return useIfProvided(owner, AppJobs) !== undefined;
}

/** Adds the job of an add-on, before or after `provideJobs`. */
export function addJob<T>(app: Application, job: Job<T>): void {
  const added = useIfProvided(app, AddedJobs);
  if (added === undefined) provide(app, AddedJobs, [job as Job]);
  else added.push(job as Job);
  useIfProvided(app, AppJobs)?.add(job as Job);
}

/**
 * Returns what keeps the jobs of an application: counts them, lists them, retries and drops dead ones. For pages of
 * operators, which need a guard.
 *
 * @param owner The context of the request, or the application.
 * @returns The engine.
 * @throws {TypeError} if no jobs were provided.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, struct } from "@fw/fw";
 * import { enqueue, job, jobEngine, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const greet = job("greet", struct({}), () => {});
 * const app = new App({ logRequest: () => false });
 * const db = await openSqlite(":memory:");
 * await provideJobs(app, sqliteJobs(db), { jobs: [greet] });
 * await enqueue(app, greet, {});
 * assertEquals((await jobEngine(app).counts()).waiting, 1);
 * await db.close();
 * ```
 */
export function jobEngine(owner: Application | Ctx): JobEngine {
  return jobsOf(owner).engine;
}

/**
 * Provides jobs to an application, in `Setup`. They run beside requests while the application serves; health checks
 * and metrics tell of them.
 *
 * @param app The application.
 * @param engine What keeps the jobs, such as `sqliteJobs(db)`.
 * @param options The jobs, how many run at once, and the schedule.
 * @returns When the engine is ready.
 * @throws {TypeError} for two jobs with one name, for a schedule of a job that is not listed, and for a concurrency of a
 * queue that no job uses; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, int, struct } from "@fw/fw";
 * import { enqueue, every, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { drainJobs } from "@fw/fw/jobs/testing";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const swept: number[] = [];
 * const sweep = job("sweep", struct({ days: int("required") }), ({ days }) => void swept.push(days));
 *
 * const app = new App({ logRequest: () => false });
 * const db = await openSqlite(":memory:");
 * await provideJobs(app, sqliteJobs(db), {
 *   jobs: [sweep],
 *   concurrency: { default: 2 },
 *   schedule: [every(3_600_000, sweep, { value: { days: 30 } })],
 * });
 * await enqueue(app, sweep, { days: 7 });
 * await drainJobs(app);
 * assertEquals(swept, [7]);
 * await db.close();
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
    const gauge = (name: string, help: string, value: number): void =>
      app.metrics.gauge(name, help).set(value);
    gauge("fw_jobs_waiting", "Jobs that wait.", waiting);
    gauge("fw_jobs_running", "Jobs that run.", running);
    gauge("fw_jobs_dead", "Jobs that failed for good.", dead);
    gauge("fw_jobs_oldest_seconds", "Age of the oldest job that could run.", oldestMs / 1_000);
  });
  if (!jobs.runsWhileServing) return;
  app.onStart(async () => {
    await jobs.start();
    return () => jobs.stop();
  });
}

/**
 * Enqueues a job. Inside `db.tx` of the database that keeps it, the job exists if the transaction does.
 *
 * @param owner The context of the request, whose request and trace the job's log lines carry, or the application.
 * @param job The job.
 * @param value The value, which the job's schema must accept.
 * @param options When it runs, and its key.
 * @returns `false` if a job with this key waits or runs already.
 * @throws {TypeError} if the value does not fit the schema; `RangeError` for a malformed time or priority.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App, int, struct } from "@fw/fw";
 * import { enqueue, job, provideJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * const remind = job("remind", struct({ event: int("required") }), () => {});
 * const app = new App({ logRequest: () => false });
 * const db = await openSqlite(":memory:");
 * await provideJobs(app, sqliteJobs(db), { jobs: [remind] });
 * const tomorrow = { delayMs: 24 * 3_600_000, key: "event 1" };
 * assertEquals(await enqueue(app, remind, { event: 1 }, tomorrow), true);
 * assertEquals(await enqueue(app, remind, { event: 1 }, tomorrow), false);
 * await db.close();
 * ```
 */
export async function enqueue<T>(
  owner: Ctx | Application,
  job: Job<T>,
  value: T,
  options: EnqueueOptions = {},
): Promise<boolean> {
  const origin = "requestId" in owner ? { requestId: owner.requestId, traceId: owner.traceId } : {};
  return await jobsOf(owner).enqueue(job, value, { ...options, origin });
}

/**
 * Runs the jobs of an application without serving it, until SIGINT or SIGTERM: a process of its own for work.
 *
 * @param app The application, as `newApp()` gives it.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { provideJobs, runJobs, sqliteJobs } from "@fw/fw/jobs";
 * import { openSqlite } from "@fw/fw/sqlite";
 *
 * // The work of worker.ts: what serves has `runsWhileServing: false`.
 * export async function work(): Promise<void> {
 *   const app = new App();
 *   await using db = await openSqlite("data/app.sqlite");
 *   await provideJobs(app, sqliteJobs(db), { jobs: [], runsWhileServing: false });
 *   await runJobs(app);
 * }
 * ```
 */
export async function runJobs(app: Application): Promise<void> {
  const jobs = jobsOf(app);
  const { promise, resolve } = Promise.withResolvers<void>();
  const signals = Deno.build.os === "windows"
    ? ["SIGINT"] as const
    : ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) Deno.addSignalListener(signal, resolve);
  await jobs.start();
  app.log.info("jobs run");
  await promise;
  for (const signal of signals) Deno.removeSignalListener(signal, resolve);
  await jobs.stop();
  await app.shutdown();
}

class PayloadError extends TypeError {}

function writePayload<T>(job: Job<T>, value: unknown): string {
  const text = JSON.stringify(
    value,
    (_, item: unknown) => typeof item === "bigint" ? String(item) : item,
  );
  if (text === undefined || text.length > maxPayloadChars) {
    throw new TypeError(
      `Cannot enqueue "${job.name}": its value has more than ${maxPayloadChars} characters.`,
    );
  }
  const checked = job.schema["~standard"].validate(JSON.parse(text));
  if (!(checked instanceof Promise) && checked.issues === undefined) return text;
  throw new TypeError(`Cannot enqueue "${job.name}": ${issueText(checked)}`);
}

async function readPayload<T>(job: Job<T>, payload: string): Promise<T> {
  const checked = await job.schema["~standard"].validate(JSON.parse(payload));
  if (checked.issues === undefined) return checked.value;
  // The code has changed since: trying again changes nothing.
  throw new PayloadError(`the stored value does not fit the job: ${issueText(checked)}`);
}

function issueText(checked: unknown): string {
  const issues: readonly { readonly message: string; readonly path?: readonly unknown[] }[] =
    Object(checked).issues ?? [];
  return issues.map(({ message, path = [] }) => `${path.join(".")}: ${message}`).join("; ");
}
