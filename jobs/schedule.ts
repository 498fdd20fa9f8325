import { type Job, neverMs } from "./job.ts";

/** A scheduled job and its value. */
export interface Schedule {
  /** The unique name under which its next time is stored. */
  readonly name: string;
  /** The job. */
  readonly job: Job;
  /** The value of the job. */
  readonly value: unknown;
  /** Returns the first time after a moment. */
  next(after: Date): Date;
}

/** Options of {@linkcode daily} and {@linkcode weekly}. */
export interface ClockOptions<T = unknown> {
  /** The time zone, such as `Europe/Lisbon`. @default "UTC" */
  readonly zone?: string;
  /** The value of the job. @default {} */
  readonly value?: T;
}

/** The days of the week. */
export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

const weekdays: readonly Weekday[] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/**
 * Runs a job at a fixed interval. Missed times run once, and a time is skipped while
 * the job of an earlier one waits or runs.
 *
 * @param ms The interval, in milliseconds, from 1,000.
 * @throws {RangeError} for a shorter interval.
 * @example
 * ```ts
 * import { struct } from "@fw/fw";
 * import { every, job } from "@fw/fw/jobs";
 *
 * export const quarterly = every(15 * 60_000, job("sweep", struct({}), () => {}));
 * ```
 */
export function every<T>(ms: number, job: Job<T>, options: { readonly value?: T } = {}): Schedule {
  if (!Number.isSafeInteger(ms) || ms < 1_000) {
    throw new RangeError(`Cannot run "${job.name}" every ${ms} ms: use an integer from 1000.`);
  }
  const next = (after: Date): Date => new Date((Math.floor(after.getTime() / ms) + 1) * ms);
  return schedule(`every ${ms}`, job, { ...options, next });
}

/**
 * Runs a job once a day. At a clock change, a skipped time runs an hour later, a repeated one only the first
 * time.
 *
 * @param time The time of the day, `07:00`.
 * @throws {RangeError} for a malformed time or an unknown zone.
 * @example
 * ```ts
 * import { struct } from "@fw/fw";
 * import { daily, job } from "@fw/fw/jobs";
 *
 * const digest = job("digest", struct({}), () => {});
 * export const morning = daily("07:00", digest, { zone: "Europe/Lisbon" });
 * ```
 */
export function daily<T>(time: string, job: Job<T>, options: ClockOptions<T> = {}): Schedule {
  return schedule(`daily ${time} ${options.zone ?? "UTC"}`, job, {
    ...options,
    next: readClock(time, job, { ...options, fits: () => true }),
  });
}

/**
 * Runs a job once a week.
 *
 * @param at The day and the time, `mon 07:00`.
 * @throws {RangeError} for a malformed day or time or an unknown zone.
 * @example
 * ```ts
 * import { struct } from "@fw/fw";
 * import { job, weekly } from "@fw/fw/jobs";
 *
 * export const digest = weekly("mon 07:00", job("digest", struct({}), () => {}));
 * ```
 */
export function weekly<T>(
  at: `${Weekday} ${string}`,
  job: Job<T>,
  options: ClockOptions<T> = {},
): Schedule {
  const [day = "", time = ""] = at.split(/ (.*)/s);
  const wanted = weekdays.findIndex((each) => each === day) + 1;
  if (wanted === 0) {
    throw new RangeError(`Cannot run "${job.name}" at "${at}": begin with ${weekdays.join(", ")}.`);
  }
  return schedule(`weekly ${at} ${options.zone ?? "UTC"}`, job, {
    ...options,
    next: readClock(time, job, { ...options, fits: ({ dayOfWeek }) => dayOfWeek === wanted }),
  });
}

/**
 * Runs a job at times returned by a function, for example of a library for cron expressions.
 *
 * @param name Distinguishes the schedule from others, usually the expression.
 * @param options `next` returns the first time after a moment; `value` is the value of the job.
 * @example
 * ```ts
 * import { struct } from "@fw/fw";
 * import { cron, job } from "@fw/fw/jobs";
 *
 * // import { Cron } from "npm:croner"; next: (after) => new Cron("0 3 1 * *").nextRun(after)
 * const next = (after: Date) => new Date(after.getTime() + 86_400_000);
 * export const monthly = cron("0 3 1 * *", job("sweep", struct({}), () => {}), { next });
 * ```
 */
export function cron<T>(
  name: string,
  job: Job<T>,
  options: { readonly next: (after: Date) => Date | null; readonly value?: T },
): Schedule {
  // A library returns null if there is no further time.
  const next = (after: Date): Date => options.next(after) ?? new Date(neverMs);
  return schedule(`cron ${name}`, job, { ...options, next });
}

function schedule<T>(
  name: string,
  job: Job<T>,
  { value = {}, next }: { readonly value?: unknown; readonly next: (after: Date) => Date },
): Schedule {
  return { name: `${job.name}: ${name}`, job, value, next };
}

/** Returns a function that finds the next time after a moment on matching days. */
function readClock<T>(
  time: string,
  { name }: Job<T>,
  { zone = "UTC", fits }: ClockOptions & { fits: (date: Temporal.PlainDate) => boolean },
): (after: Date) => Date {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) {
    throw new RangeError(`Cannot run "${name}" at "${time}": write the time as 07:00.`);
  }
  const plainTime = Temporal.PlainTime.from(time);
  try {
    Temporal.Now.zonedDateTimeISO(zone);
  } catch {
    throw new RangeError(
      `Cannot run "${name}": the time zone "${zone}" is unknown; use one such as Europe/Lisbon.`,
    );
  }
  return (after) => {
    const moment = Temporal.Instant.fromEpochMilliseconds(after.getTime());
    const first = moment.toZonedDateTimeISO(zone).toPlainDate();
    // From yesterday, whose late time is today if a clock change skips it.
    for (let days = -1; days <= 8; days++) {
      const date = first.add({ days });
      const { epochMilliseconds } = date.toZonedDateTime({ timeZone: zone, plainTime });
      if (fits(date) && epochMilliseconds > after.getTime()) return new Date(epochMilliseconds);
    }
    throw new RangeError(`Cannot find the next time of "${name}".`);
  };
}
