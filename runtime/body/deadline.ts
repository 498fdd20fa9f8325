export interface Deadline {
  /** When it must have ended, on the clock of `performance.now`; it may be moved. */
  dueMs: number;
  /** Ends it. Called once, and only when the time is up. */
  readonly expire: () => void;
  /** When the work ended, on the same clock; `undefined` while it goes on. */
  endMs: number | undefined;
  /** The deadline before it; `undefined` while it is not watched. */
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

const sweepMs = 250;

// One interval for all work of the process, and none for what ends in the turn of the event loop in
// which it begins, as most does: a timer costs a quarter of a small request (`bench/http`). A ring, since
// a Set that fills and empties with every turn is hashed anew each time, which costs a third.
const ring: Deadline = {
  dueMs: Infinity,
  expire: () => {},
  endMs: undefined,
  previous: undefined,
  next: undefined,
};
ring.previous = ring.next = ring;
let timer: ReturnType<typeof setInterval> | undefined;
let isChecking = false;
let keepers = 0;

/** Restarting the interval for each request costs a third of a small one (`bench/http`). */
export function keepSweeping(): () => void {
  // The first work starts it: the platform's timers cost a start 5 ms (`bench/start`).
  keepers++;
  return () => {
    keepers--;
    checkTimer();
  };
}

/** Watches work until {@link endDeadline} or {@link dropDeadline}; nothing is watched without a due time. */
export function startDeadline(dueMs: number, expire: () => void): Deadline {
  const deadline: Deadline = {
    dueMs,
    expire,
    endMs: undefined,
    previous: undefined,
    next: undefined,
  };
  if (dueMs === Infinity) return deadline;
  const last = ring.previous ?? ring;
  deadline.previous = last;
  deadline.next = ring;
  last.next = ring.previous = deadline;
  if (timer === undefined && !isChecking) {
    isChecking = true;
    setImmediate(checkTimer);
  }
  return deadline;
}

function checkTimer(): void {
  isChecking = false;
  if (ring.next !== ring || keepers > 0) {
    timer ??= setInterval(sweep, sweepMs);
    return;
  }
  clearInterval(timer);
  timer = undefined;
}

export function endDeadline(deadline: Deadline): void {
  deadline.endMs = performance.now();
  dropDeadline(deadline);
}

/** Stops watching work whose end time is not needed: reading the clock is costly (`bench/http`). */
export function dropDeadline(deadline: Deadline): void {
  const { previous, next } = deadline;
  if (previous === undefined || next === undefined) return;
  previous.next = next;
  next.previous = previous;
  deadline.previous = deadline.next = undefined;
  if (ring.next !== ring) return;
  if (timer === undefined || isChecking || keepers > 0) return;
  isChecking = true;
  // Under load the next work is a turn away: starting the timer anew costs more than the look.
  setImmediate(checkTimer);
}

/**
 * Waits for a call up to a deadline, noticed up to 250 ms late: a timer for each call costs too much
 * (`bench/http`). The result of a call that comes late is ignored.
 */
export function limitTime<T>(
  act: () => Promise<T>,
  { timeoutMs, late }: { readonly timeoutMs: number; readonly late: () => Error },
): Promise<T> {
  if (timeoutMs === Infinity) return act();
  return new Promise((resolve, reject) => {
    // If the call throws, nothing waits.
    const made = act();
    const deadline = startDeadline(performance.now() + timeoutMs, () => reject(late()));
    made.then((value) => {
      dropDeadline(deadline);
      resolve(value);
    }, (error) => {
      dropDeadline(deadline);
      reject(error);
    });
  });
}

function sweep(): void {
  const now = performance.now();
  for (const deadline of watched()) {
    if (deadline.dueMs > now) continue;
    // What ended because of one before it is not late.
    if (deadline.next === undefined) continue;
    endDeadline(deadline);
    deadline.expire();
  }
}

function watched(): Deadline[] {
  const list: Deadline[] = [];
  for (let at = ring.next; at !== undefined && at !== ring; at = at.next) list.push(at);
  return list;
}
