import {
  type Application,
  type Channel,
  channel,
  float,
  type Logger,
  struct,
  type StructSchema,
} from "../mod.ts";

/** The maximum time of a `Date`, for a schedule without a further time. */
export const neverMs = 8.64e15;

/** The second argument of a job's function. */
export interface JobRun {
  /** The application, for `use(run.app, Db)`. */
  readonly app: Application;
  /** The identifier of the job, the same in each attempt. */
  readonly id: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
  /** Aborts at the deadline, or after the grace period at shutdown. */
  readonly signal: AbortSignal;
  /** Logs with the job, its attempt, and the request and trace that enqueued it. */
  readonly log: Logger;
  /** Publishes the progress to {@linkcode jobProgress}, at most five a second and the last. */
  progress(done: number, total: number): Promise<void>;
}

/** The progress of a job. */
export interface JobProgress {
  /** Amount of work done. */
  readonly done: number;
  /** Total amount of work. */
  readonly total: number;
}

/** Options of {@linkcode job}. */
export interface JobOptions {
  /** Maximum number of attempts before the job is dead. @default 5 */
  readonly attempts?: number;
  /** The first retry delay, in milliseconds; it doubles each time, up to an hour. @default 1_000 */
  readonly backoffMs?: number;
  /** Timeout of an attempt, in milliseconds, after which it is aborted and fails. @default 60_000 */
  readonly timeoutMs?: number;
  /** Maximum length of the value as JSON, in UTF-16 code units. @default 1_000_000 */
  readonly maxValueChars?: number;
  /** The queue, which may have its own concurrency limit. @default "default" */
  readonly queue?: string;
  /** Jobs with a higher number run first. @default 0 */
  readonly priority?: number;
}

/** A kind of work, made by {@linkcode job}. */
export interface Job<T = unknown> {
  /** The name, which is stored with each job. */
  readonly name: string;
  /** The struct of the value. */
  readonly schema: StructSchema<T>;
  /** Does the work. */
  run(value: T, run: JobRun): void | Promise<void>;
  /** The options, with defaults. */
  readonly options: Required<JobOptions>;
}

/**
 * An error that no retry can fix: a job that throws it is dead at once.
 * @example
 * ```ts
 * import { struct, text } from "@fw/fw";
 * import { job, PermanentError } from "@fw/fw/jobs";
 *
 * export const load = job("load", struct({ url: text("required") }), async ({ url }) => {
 *   const { status } = await fetch(url);
 *   if (status === 410) throw new PermanentError("The feed has ended.");
 * });
 * ```
 */
export class PermanentError extends Error {
  /** The name of the class. */
  override readonly name: string = "PermanentError";
}

/** The error of a job whose process ended. */
export const endedText = "the process ended while the job ran";

/** The maximum delay of a timer; a longer one would fire at once. */
const maxInteger = 2 ** 31 - 1;

/**
 * Defines a kind of job. A job runs at least once, so write it so that a second run does no harm.
 *
 * @param name Lower-case letters, digits, `_` and `-`. Stored with each job.
 * @param schema The struct of the value, checked when the job is enqueued and before it runs.
 * @param work Does the work. If it throws anything but a {@link PermanentError}, the job is retried.
 * @throws {TypeError} for a malformed name; `RangeError` for an option out of range.
 * @example
 * ```ts
 * import { struct, text } from "@fw/fw";
 * import { job } from "@fw/fw/jobs";
 *
 * export const greet = job("greet", struct({ to: text("required") }), ({ to }, { log }) => {
 *   log.info(`hello ${to}`);
 * }, { attempts: 3 });
 * ```
 */
export function job<T>(
  name: string,
  schema: StructSchema<T>,
  work: (value: T, run: JobRun) => void | Promise<void>,
  options: JobOptions = {},
): Job<T> {
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(name)) {
    throw new TypeError(
      `Cannot create the job "${name}": use lower-case letters, digits, _ and -.`,
    );
  }
  if (options.queue?.trim() === "") {
    throw new TypeError(`Cannot create the job "${name}": its queue has no name; leave it out.`);
  }
  const defaults = {
    attempts: 5,
    backoffMs: 1_000,
    timeoutMs: 60_000,
    maxValueChars: 1_000_000,
    priority: 0,
  };
  const { queue = "default", priority, ...counts } = { ...defaults, ...options };
  checkIntegers(`make the job "${name}"`, counts);
  checkIntegers(`make the job "${name}"`, { priority }, -maxInteger);
  return { name, schema, run: work, options: { ...counts, queue, priority } };
}

const Progress = struct({ done: float(), total: float() });

/**
 * Returns the channel of a job's progress, for a stream that updates a progress bar in the browser.
 * The key is not a secret: the stream's handler must decide who may subscribe.
 * @example
 * ```ts
 * import { type Ctx, subscribe } from "@fw/fw";
 * import { jobProgress } from "@fw/fw/jobs";
 *
 * export const follow = (c: Ctx) =>
 *   subscribe(c, jobProgress({ name: "load" }, c.param("file")), { after: "0-0" });
 * ```
 */
export function jobProgress(job: { readonly name: string }, key: string): Channel<JobProgress> {
  // A progress bar needs only the newest message.
  return channel(`job:${job.name}:${encodeURIComponent(key).slice(0, 100)}`, Progress, { keep: 1 });
}

/** Checks integer options. @throws RangeError for a fraction, NaN or a number out of range. */
export function checkIntegers(
  act: string,
  options: Readonly<Record<string, number>>,
  least = 1,
): void {
  for (const [option, value] of Object.entries(options)) {
    if (Number.isSafeInteger(value) && value >= least && value <= maxInteger) continue;
    throw new RangeError(
      `Cannot ${act}: ${option} is ${value}; use an integer from ${least} to ${maxInteger}.`,
    );
  }
}
