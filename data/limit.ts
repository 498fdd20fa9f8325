import type { Transaction } from "./engine.ts";
import type { Scope } from "./scope.ts";

const maxTimerMs = 2 ** 31 - 1;

/** The deadline and the abort signal of a transaction. */
export class Limit {
  readonly #signal: AbortSignal | undefined;
  readonly #abort = (): void => this.#end(reasonOf(this.#signal));
  readonly #timeoutMs: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #endMs: number | undefined;
  #reason: Error | undefined;
  #onEnd: (reason: Error) => void = () => {};

  constructor(signal: AbortSignal | undefined, timeoutMs: number | undefined) {
    this.#signal = signal;
    if (signal?.aborted) this.#reason = reasonOf(signal);
    signal?.addEventListener("abort", this.#abort);
    // A timer over the maximum would fire at once.
    if (timeoutMs === undefined || timeoutMs > maxTimerMs) return;
    this.#timeoutMs = timeoutMs;
    this.#endMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => this.#end(this.#late()), timeoutMs);
  }

  /** Time until the deadline, in milliseconds; `undefined` without one. */
  get leftMs(): number | undefined {
    return this.#endMs && Math.max(this.#endMs - performance.now(), 1);
  }

  /** Throws if the limit is reached, also before the timer of a busy process fires. */
  check(): void {
    if (this.#endMs !== undefined && performance.now() >= this.#endMs) {
      this.#reason ??= this.#late();
    }
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Waits for a transaction to open; one that opens after the limit is rolled back. */
  race(opening: Promise<Transaction>): Promise<Transaction> {
    return new Promise((resolve, reject) => {
      let isLate = false;
      this.#onEnd = (reason) => {
        isLate = true;
        reject(reason);
      };
      opening.then((opened) => isLate ? opened.undo() : resolve(opened)).catch(reject);
    });
  }

  /** Ends a scope when the limit is reached. */
  guard(scope: Scope): void {
    this.#onEnd = (reason) => scope.end(reason);
    if (this.#reason !== undefined) scope.end(this.#reason);
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
  }

  #late(): Error {
    const message = `The transaction took longer than ${this.#timeoutMs} ms`;
    return new DOMException(message, "TimeoutError");
  }

  #end(reason: Error): void {
    this.#reason ??= reason;
    this.#onEnd(this.#reason);
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}
