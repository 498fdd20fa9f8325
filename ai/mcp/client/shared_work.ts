import { abortable } from "../../http/wait.ts";

interface Running {
  readonly result: Promise<boolean>;
  readonly stop: AbortController;
}

/** Work that several callers wait for, and that ends when all of them have left. */
export class SharedWork {
  #running: Running | undefined = undefined;
  #waiting = 0;

  /**
   * Waits for the work that runs, or begins it.
   *
   * @param signal Ends the waiting of this caller alone.
   */
  async join(
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<boolean> {
    signal.throwIfAborted();
    const running = this.#running ??= this.#begin(work);
    this.#waiting++;
    try {
      return await abortable(running.result, { signal, drop: () => {} });
    } finally {
      if (--this.#waiting === 0) {
        running.stop.abort(signal.reason);
        this.#running = undefined;
      }
    }
  }

  #begin(work: (signal: AbortSignal) => Promise<boolean>): Running {
    const stop = new AbortController();
    const result = work(stop.signal);
    // A caller that has left does not hear of the failure.
    result.catch(() => {});
    return { result, stop };
  }
}
