/** Why a call was given up. */
export type Overdue = "call" | "wait";

/**
 * Watches one call: how long it takes altogether, and how long it waits for the next step. One timer
 * serves both, because starting one for every read of a stream would cost more than the read.
 */
export class Watchdog {
  readonly #endAt: number;
  readonly #onOverdue: (overdue: Overdue) => void;
  #waitMs = Infinity;
  #waitUntil = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #firesAt = Infinity;

  /** Starts watching. */
  constructor(endAt: number, onOverdue: (overdue: Overdue) => void) {
    this.#endAt = endAt;
    this.#onOverdue = onOverdue;
  }

  expect(waitMs: number): void {
    this.#waitMs = waitMs;
    this.begin();
  }

  begin(): void {
    this.#waitUntil = performance.now() + this.#waitMs;
    const dueAt = Math.min(this.#endAt, this.#waitUntil);
    if (dueAt < this.#firesAt) this.#arm(dueAt);
  }

  /** Ends the wait: the time until the next one is the caller's own. */
  rest(): void {
    this.#waitUntil = Infinity;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#firesAt = Infinity;
  }

  #arm(dueAt: number): void {
    clearTimeout(this.#timer);
    this.#firesAt = dueAt;
    if (dueAt === Infinity) return;
    this.#timer = setTimeout(() => this.#check(), Math.max(0, dueAt - performance.now()));
  }

  #check(): void {
    const now = performance.now();
    // A timer may fire a fraction of a millisecond early.
    if (now + 1 >= this.#endAt) return this.#giveUp("call");
    if (now + 1 >= this.#waitUntil) return this.#giveUp("wait");
    this.#arm(Math.min(this.#endAt, this.#waitUntil));
  }

  #giveUp(overdue: Overdue): void {
    this.stop();
    this.#onOverdue(overdue);
  }
}
