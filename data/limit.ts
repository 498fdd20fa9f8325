const maxTimerMs = 2 ** 31 - 1;

/** The deadline and the signal of a transaction; it ends those of the transactions inside as well. */
export class Limit {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners: Set<(reason: Error) => void> = new Set();
  readonly #children: Set<Limit> = new Set();
  readonly #parent: Limit | undefined;
  readonly #abort = (): void => this.#end(reasonOf(this.#signal));
  readonly #endMs: number | undefined;
  #reason: Error | undefined;

  constructor(signal: AbortSignal | undefined, timeoutMs: number | undefined, parent?: Limit) {
    this.#signal = signal;
    this.#parent = parent;
    if (parent !== undefined) parent.#children.add(this);
    if (signal?.aborted) this.#reason = reasonOf(signal);
    signal?.addEventListener("abort", this.#abort);
    // A longer timer would fire at once.
    if (timeoutMs === undefined || timeoutMs > maxTimerMs) return;
    this.#endMs = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => {
      this.#end(
        new DOMException(`The transaction took longer than ${timeoutMs} ms`, "TimeoutError"),
      );
    }, timeoutMs);
  }

  /** Time to the deadline, in milliseconds; `undefined` without one. */
  get leftMs(): number | undefined {
    return this.#endMs && Math.max(this.#endMs - performance.now(), 1);
  }

  check(): void {
    if (this.#reason !== undefined) throw this.#reason;
  }

  /** Waits for a promise, but not beyond the limit. @param onEnd Is called when the limit comes first. */
  race<T>(promise: Promise<T>, onEnd: (reason: Error) => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const end = (reason: Error): void => {
        this.#listeners.delete(end);
        onEnd(reason);
        reject(reason);
      };
      promise.then((value) => {
        this.#listeners.delete(end);
        resolve(value);
      }, (error) => {
        this.#listeners.delete(end);
        reject(error);
      });
      if (this.#reason !== undefined) end(this.#reason);
      else this.#listeners.add(end);
    });
  }

  clear(): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener("abort", this.#abort);
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
  }

  endChildren(reason: Error): void {
    for (const child of this.#children) child.#end(reason);
  }

  #end(reason: Error): void {
    this.#reason ??= reason;
    for (const listener of [...this.#listeners]) listener(reason);
    this.endChildren(reason);
  }
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new DOMException(String(reason), "AbortError");
}
