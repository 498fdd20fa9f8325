/** Enqueues the jobs of schedules when they are due. */
import { setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../mod.ts";
import type { JobEngine, JobEntry } from "./engine.ts";
import type { Schedule } from "./schedule.ts";

/** The longest pause between two looks at the clock: a laptop may sleep in between. */
const maxPauseMs = 30_000;

/** The clock of one application. */
export interface Clock {
  readonly schedules: readonly Schedule[];
  readonly engine: JobEngine;
  readonly log: Logger;
  /** Makes the job of an occurrence. */
  readonly toEntry: (schedule: Schedule, key: string) => JobEntry;
}

/** Runs until the signal aborts. */
export async function runClock(clock: Clock, signal: AbortSignal): Promise<void> {
  while (clock.schedules.length > 0 && !signal.aborted) {
    const nextMs = await runSchedules(clock, new Date());
    const pauseMs = Math.min(Math.max(nextMs - Date.now(), 50), maxPauseMs);
    await pause(pauseMs, undefined, { signal }).catch(() => {});
  }
}

/** Enqueues what is due; a schedule that fails holds up none of the others. @returns When the next one is. */
async function runSchedules(clock: Clock, now: Date): Promise<number> {
  let nearestMs = Infinity;
  for (const each of clock.schedules) {
    try {
      nearestMs = Math.min(nearestMs, await runSchedule(each, { clock, now }));
    } catch (error) {
      clock.log.error("jobs: a schedule failed", { schedule: each.name, error });
    }
  }
  return nearestMs;
}

async function runSchedule(
  each: Schedule,
  { clock: { engine, toEntry }, now }: { readonly clock: Clock; readonly now: Date },
): Promise<number> {
  // What was slept through runs once: the next time is counted from now on.
  const nextMs = each.next(now).getTime();
  if (!(nextMs > now.getTime())) throw new RangeError("Its next time is not in the future.");
  const atMs = await engine.nextOccurrence(each.name, nextMs);
  if (atMs > now.getTime()) return atMs;
  const entry = toEntry(each, `${each.name} ${atMs}`);
  await engine.claimOccurrence({ schedule: each.name, atMs, nextMs, entry });
  return nextMs;
}
