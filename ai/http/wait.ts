import { setTimeout as pause } from "node:timers/promises";

const firstDelayMs = 500;

/** Returns a delay that doubles with every failure, with jitter so that clients do not retry in step. */
export function backoff(failures: number, longestDelayMs = 30_000): number {
  const longest = Math.min(firstDelayMs * 2 ** failures, longestDelayMs);
  return longest / 2 + Math.random() * longest / 2;
}

export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await pause(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  return AbortSignal.any(signals.filter((each) => each !== undefined));
}

/**
 * Wraps a generator for one loop. Leaving the loop calls `leave` first, because a generator that awaits handles
 * `return` only afterwards.
 */
export function loopOver<T>(generator: AsyncGenerator<T>, leave: () => void): AsyncIterator<T> {
  return {
    next: () => generator.next(),
    return: async () => {
      leave();
      await generator.return(undefined).catch(() => {});
      return { done: true, value: undefined };
    },
  };
}

/** Waits for work until the signal aborts; a later result is passed to `drop`. */
export function abortable<T>(
  given: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => void = () => {},
): Promise<T> {
  // An application's own `fetch` or tool may return a value without a promise.
  const work = Promise.resolve(given);
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      work.then(drop, () => {});
      reject(signal.reason);
    };
    if (signal.aborted) return abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}
