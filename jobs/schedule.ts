/** When jobs run by the clock. */
import type { Job } from "./job.ts";

/** A job that runs by the clock, with the value it gets. */
export interface Schedule {
  /** Distinguishes it from others; its next time is stored under it. */
  readonly name: string;
  /** The job. */
  readonly job: Job;
  /** The value. */
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
 * Runs a job at a fixed pace. What a process slept through runs once.
 *
 * @param ms The pace, in milliseconds, from 1,000.
 * @param job The job.
 * @param options The value of the job.
 * @returns The schedule, for `provideJobs`.
 * @throws {RangeError} for a shorter pace.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct } from "@fw/fw";
 * import { every, job } from "@fw/fw/jobs";
 *
 * const sweep = job("sweep", struct({}), () => {});
 * const next = every(15 * 60_000, sweep).next(new Date("2026-07-01T12:07:00Z"));
 * assertEquals(next.toISOString(), "2026-07-01T12:15:00.000Z");
 * ```
 */
export function every<T>(ms: number, job: Job<T>, options: { readonly value?: T } = {}): Schedule {
  if (!Number.isSafeInteger(ms) || ms < 1_000) {
    throw new RangeError(`Cannot run "${job.name}" every ${ms} ms: use an integer from 1000.`);
  }
  const next = (after: Date): Date => new Date((Math.floor(after.getTime() / ms) + 1) * ms);
  return schedule(`every ${ms}`, job, { value: options.value, next });
}

/**
 * Runs a job once a day. Where the clock skips the time, it runs an hour later; where it comes twice, the first time.
 *
 * @param time The time of the day, `07:00`.
 * @param job The job.
 * @param options The zone and the value.
 * @returns The schedule, for `provideJobs`.
 * @throws {RangeError} for a malformed time or an unknown zone.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct } from "@fw/fw";
 * import { daily, job } from "@fw/fw/jobs";
 *
 * const digest = job("digest", struct({}), () => {});
 * const schedule = daily("07:00", digest, { zone: "Europe/Lisbon" });
 * const next = schedule.next(new Date("2026-07-01T12:00:00Z"));
 * assertEquals(next.toISOString(), "2026-07-02T06:00:00.000Z");
 * ```
 */
export function daily<T>(time: string, job: Job<T>, options: ClockOptions<T> = {}): Schedule {
  const clock = readClock(time, job.name, options.zone);
  return schedule(`daily ${time} ${clock.zone}`, job, {
    value: options.value,
    next: (after) => clock.next(after, () => true),
  });
}

/**
 * Runs a job once a week.
 *
 * @param at The day and the time, `mon 07:00`.
 * @param job The job.
 * @param options The zone and the value.
 * @returns The schedule, for `provideJobs`.
 * @throws {RangeError} for a malformed day or time or an unknown zone.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct } from "@fw/fw";
 * import { job, weekly } from "@fw/fw/jobs";
 *
 * const digest = job("digest", struct({}), () => {});
 * const schedule = weekly("mon 07:00", digest, { zone: "Europe/Lisbon" });
 * const next = schedule.next(new Date("2026-07-01T12:00:00Z"));
 * assertEquals(next.toISOString(), "2026-07-06T06:00:00.000Z");
 * ```
 */
export function weekly<T>(
  at: `${Weekday} ${string}`,
  job: Job<T>,
  options: ClockOptions<T> = {},
): Schedule {
  const [day = "", time = ""] = at.split(" ");
  const wanted = weekdays.findIndex((each) => each === day) + 1;
  if (wanted === 0) {
    throw new RangeError(`Cannot run "${job.name}" at "${at}": begin with ${weekdays.join(", ")}.`);
  }
  const clock = readClock(time, job.name, options.zone);
  const next = (after: Date): Date => clock.next(after, (date) => date.dayOfWeek === wanted);
  return schedule(`weekly ${at} ${clock.zone}`, job, { value: options.value, next });
}

/**
 * Runs a job at the times of a function, such as the one of a library for cron expressions.
 *
 * @param name Distinguishes the schedule from others, usually the expression.
 * @param job The job.
 * @param options `next` gives the first time after a moment; `value` is the value of the job.
 * @returns The schedule, for `provideJobs`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct } from "@fw/fw";
 * import { cron, job } from "@fw/fw/jobs";
 *
 * const sweep = job("sweep", struct({}), () => {});
 * // import { Cron } from "npm:croner"; next: (after) => new Cron("0 3 1 * *").nextRun(after)
 * const next = (after: Date): Date =>
 *   new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth() + 1, 1, 3));
 * const schedule = cron("0 3 1 * *", sweep, { next });
 * const first = schedule.next(new Date("2026-07-01T12:00:00Z"));
 * assertEquals(first.toISOString(), "2026-08-01T03:00:00.000Z");
 * ```
 */
export function cron<T>(
  name: string,
  job: Job<T>,
  options: { readonly next: (after: Date) => Date | null; readonly value?: T },
): Schedule {
  const { next, value } = options;
  return schedule(`cron ${name}`, job, {
    value,
    // A library says by null that there is no further time.
    next: (after) => next(after) ?? new Date(8.64e15),
  });
}

function schedule<T>(
  name: string,
  job: Job<T>,
  { value = {}, next }: { readonly value: unknown; readonly next: (after: Date) => Date },
): Schedule {
  return { name: `${job.name}: ${name}`, job, value, next };
}

function readClock(time: string, name: string, zone = "UTC"): {
  readonly zone: string;
  readonly next: (after: Date, fits: (date: Temporal.PlainDate) => boolean) => Date;
} {
  if (!/^(?:[01]\d|2[0-3]):[0-5]\d$/.test(time)) {
    throw new RangeError(`Cannot run "${name}" at "${time}": write the time as 07:00.`);
  }
  const plainTime = Temporal.PlainTime.from(time);
  // An unknown zone is refused now.
  Temporal.Now.zonedDateTimeISO(zone);
  return {
    zone,
    next: (after, fits) => {
      const moment = Temporal.Instant.fromEpochMilliseconds(after.getTime());
      const first = moment.toZonedDateTimeISO(zone).toPlainDate();
      for (let days = 0; days <= 8; days++) {
        const date = first.add({ days });
        if (!fits(date)) continue;
        const { epochMilliseconds } = date.toZonedDateTime({ timeZone: zone, plainTime });
        if (epochMilliseconds > after.getTime()) return new Date(epochMilliseconds);
      }
      throw new RangeError(`Cannot find the next time of "${name}".`);
    },
  };
}
