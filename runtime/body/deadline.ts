export interface Deadline {
  /** The due time, on the clock of `performance.now`; it may be changed. */
  dueMs: number;
  /** Ends the work. Called at most once, when it is overdue. */
  readonly expire: () => void;
  /** End time of the work, on the same clock; `undefined` while running. */
  endMs: number | undefined;
  /** The previous deadline in the ring; `undefined` while this one is not watched. */
  previous: Deadline | undefined;
  next: Deadline | undefined;
}

const sweepMs = 250;

// One interval for all work of the process, and none for work that ends in the turn of the event loop in
// which it begins, as most does: a timer costs a quarter of a small request (`bench/http`). A ring,
// because a Set that fills and empties every turn is rehashed each time, which costs a third.
const ring = startDeadline(Infinity, () => {});
ring.previous = ring.next = ring;
let timer: ReturnType<typeof setInterval> | undefined;
let isChecking = false;
let keepers = 0;

/** Keeps the interval running: restarting it costs a third of a small request (`bench/http`). */
export function keepSweeping(): () => void {
  keepers++;
  return () => {
    keepers--;
    checkTimer();
  };
}

/** Watches work until {@link endDeadline} or {@link dropDeadline}; work without a due time is not watched. */
export function startDeadline(dueMs: number, expire: () => void): Deadline {
  const none = undefined;
  const deadline: Deadline = { dueMs, expire, endMs: none, previous: none, next: none };
  if (dueMs === Infinity) return deadline;
  const last = ring.previous ?? ring;
  deadline.previous = last;
  deadline.next = ring;
  last.next = ring.previous = deadline;
  if (timer === undefined && !isChecking) {
    isChecking = true;
    // The first work of a server starts the interval later, because loading the timers takes 5 ms of its
    // response (`bench/start`). The timer of a signal is part of the platform that is always loaded.
    if (keepers > 0) AbortSignal.timeout(sweepMs).addEventListener("abort", checkTimer);
    else setImmediate(checkTimer);
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

/** Stops watching work without recording its end time: reading the clock is costly (`bench/http`). */
export function dropDeadline(deadline: Deadline): void {
  const { previous, next } = deadline;
  if (previous === undefined || next === undefined) return;
  previous.next = next;
  next.previous = previous;
  deadline.previous = deadline.next = undefined;
  if (ring.next !== ring) return;
  if (timer === undefined || isChecking || keepers > 0) return;
  isChecking = true;
  // Under load the next work follows one turn later: restarting the timer costs more than an idle check.
  setImmediate(checkTimer);
}

/** Waits for a call up to a deadline, noticed up to 250 ms late: a timer costs more (`bench/http`). */
export function limitTime<T>(
  act: () => Promise<T>,
  { timeoutMs, late }: { readonly timeoutMs: number; readonly late: () => Error },
): Promise<T> {
  if (timeoutMs === Infinity) return act();
  return new Promise((resolve, reject) => {
    // If the call throws, there is nothing to wait for.
    const made = act();
    const deadline = startDeadline(performance.now() + timeoutMs, () => reject(late()));
    made.finally(() => dropDeadline(deadline)).then(resolve, reject);
  });
}

function sweep(): void {
  const now = performance.now();
  const overdue: Deadline[] = [];
  for (let at = ring.next; at !== undefined && at !== ring; at = at.next) {
    if (at.dueMs <= now) overdue.push(at);
  }
  for (const deadline of overdue) {
    // An earlier expiry in this loop has ended this work.
    if (deadline.next === undefined) continue;
    endDeadline(deadline);
    deadline.expire();
  }
}
