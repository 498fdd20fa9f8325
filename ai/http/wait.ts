import { setTimeout as pause } from "node:timers/promises";

const firstDelayMs = 500;

/** Doubles with every failure, with a random part so that many clients do not come at once. */
export function backoff(failures: number, longestDelayMs = 30_000): number {
  const longest = Math.min(firstDelayMs * 2 ** failures, longestDelayMs);
  return longest / 2 + Math.random() * longest / 2;
}

export async function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await pause(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

/** Waits for work, but no longer than until the signal aborts; what comes later is handed to `drop`. */
export function abortable<T>(
  work: Promise<T>,
  signal: AbortSignal,
  drop: (late: T) => void = () => {},
): Promise<T> {
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
