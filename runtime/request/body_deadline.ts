import { setImmediate } from "node:timers";

/** A read that must end in time. */
export interface ReadDeadline {
  /** When it must have ended, on the clock of `performance.now`. */
  readonly dueMs: number;
  /** Ends it. Called once, and only when the time is up. */
  readonly expire: () => void;
}

/** How late a deadline may be noticed, in milliseconds. */
const sweepMs = 250;

// One interval for all reads of the process, and none for those that end in the turn of the event
// loop in which they begin, as most do: a timer costs a quarter of a small request (`bench/http`).
const pending = new Set<ReadDeadline>();
let timer: ReturnType<typeof setInterval> | undefined;
let isChecking = false;

/** Watches a read until {@link endDeadline}. */
export function startDeadline(deadline: ReadDeadline): void {
  pending.add(deadline);
  if (timer !== undefined || isChecking) return;
  isChecking = true;
  setImmediate(startTimer);
}

function startTimer(): void {
  isChecking = false;
  if (pending.size > 0) timer ??= setInterval(sweep, sweepMs);
}

/** Stops watching; a read that is not watched is left alone. */
export function endDeadline(deadline: ReadDeadline): void {
  if (!pending.delete(deadline) || pending.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function sweep(): void {
  const now = performance.now();
  for (const deadline of [...pending]) {
    if (deadline.dueMs > now) continue;
    endDeadline(deadline);
    deadline.expire();
  }
}
