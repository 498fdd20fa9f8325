import { isThenable } from "../runtime/addon.ts";
import type { Pending } from "./entry_table.ts";
import { Flight } from "./flight.ts";

/** The plan of a fetch; `M` is the result of its function. */
export interface FetchPlan<M> {
  readonly fn: (signal: AbortSignal) => M | PromiseLike<M>;
  /** Timeout. */
  readonly timeoutMs: number;
  readonly settle: (made: M) => unknown;
  readonly onFailure: () => void;
}

/** One run of a fetching function, whose outcome all callers share. */
export class Fetch<M> implements Pending {
  readonly promise: Promise<unknown>;
  readonly #flight: Flight;
  readonly #plan: FetchPlan<M>;
  readonly #resolve: (value: unknown) => void;
  readonly #reject: (error: unknown) => void;
  #timer: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor(label: string, plan: FetchPlan<M>) {
    this.#flight = new Flight(label);
    this.#plan = plan;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Registers a waiter; returns an error if the wait would never end. */
  join(): TypeError | undefined {
    return this.#flight.join();
  }

  /** Begins. */
  start(): void {
    const controller = new AbortController();
    try {
      const made = this.#flight.run(this.#plan.fn, controller.signal);
      if (!isThenable(made)) return this.#succeed(made);
      this.#limit(controller);
      made.then((outcome) => this.#succeed(outcome), (error) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }

  #limit(controller: AbortController): void {
    const { timeoutMs } = this.#plan;
    if (timeoutMs === Infinity) return;
    this.#timer = setTimeout(() => {
      const text = `${this.#flight.label} did not come within ${timeoutMs} ms`;
      const error = new DOMException(text, "TimeoutError");
      this.#fail(error);
      controller.abort(error);
    }, timeoutMs);
  }

  #succeed(made: M): void {
    if (!this.#end()) return;
    try {
      this.#resolve(this.#plan.settle(made));
    } catch (error) {
      this.#plan.onFailure();
      this.#reject(error);
    }
  }

  #fail(error: unknown): void {
    if (!this.#end()) return;
    this.#plan.onFailure();
    this.#reject(error);
  }

  /** Returns `false` if it had already ended, such as by its deadline. */
  #end(): boolean {
    if (this.#flight.isOver) return false;
    this.#flight.end();
    clearTimeout(this.#timer);
    return true;
  }
}

/** Returns the outcome of a promise, or the reason of a signal that aborts before. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave, { once: true });
    const stay = (): void => signal.removeEventListener("abort", leave);
    promise.then((value) => {
      stay();
      resolve(value);
    }, (error) => {
      stay();
      reject(error);
    });
  });
}
