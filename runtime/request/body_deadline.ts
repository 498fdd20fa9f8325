import { setImmediate } from "node:timers";

/** Work that must end in time: the read of a body, or a handler. */
export interface Deadline {
  /** When it must have ended, on the clock of `performance.now`. */
  readonly dueMs: number;
  /** Ends it. Called once, and only when the time is up. */
  readonly expire: () => void;
  /** When the work ended, on the same clock; `undefined` while it goes on. */
  endMs?: number | undefined;
}

/** How late a deadline may be noticed, in milliseconds. */
const sweepMs = 250;

// One interval for all work of the process, and none for what that end in the turn of the event
// loop in which they begin, as most do: a timer costs a quarter of a small request (`bench/http`).
const pending = new Set<Deadline>();
let timer: ReturnType<typeof setInterval> | undefined;
let isChecking = false;

/** Watches work until {@link endDeadline}. */
export function startDeadline(deadline: Deadline): void {
  pending.add(deadline);
  if (timer !== undefined || isChecking) return;
  isChecking = true;
  setImmediate(startTimer);
}

function startTimer(): void {
  isChecking = false;
  if (pending.size > 0) timer ??= setInterval(sweep, sweepMs);
}

/** Notes the end of the work, and stops watching it. */
export function endDeadline(deadline: Deadline): void {
  deadline.endMs = performance.now();
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
