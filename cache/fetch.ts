import { isThenable } from "../runtime/addon.ts";

export interface FetchPlan<M> {
  readonly label: string;
  readonly fn: (signal: AbortSignal) => M | PromiseLike<M>;
  readonly timeoutMs: number;
  readonly settle: (made: M) => unknown;
  readonly onFailure: () => void;
}

/** Runs a function for all callers and settles their shared promise once. */
export function runFetch<M>(
  { label, fn, timeoutMs, settle, onFailure }: FetchPlan<M>,
  { resolve, reject }: Pick<PromiseWithResolvers<unknown>, "resolve" | "reject">,
): void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): boolean => {
    if (isOver) return false;
    clearTimeout(timer);
    return isOver = true;
  };
  const fail = (error: unknown): void => {
    if (!end()) return;
    onFailure();
    reject(error);
  };
  const succeed = (made: M): void => {
    if (!end()) return;
    try {
      resolve(settle(made));
    } catch (error) {
      onFailure();
      reject(error);
    }
  };
  const controller = new AbortController();
  try {
    const made = fn(controller.signal);
    if (!isThenable(made)) return succeed(made);
    if (timeoutMs !== Infinity) {
      timer = setTimeout(() => {
        const text = `${label} did not come within ${timeoutMs} ms`;
        const error = new DOMException(text, "TimeoutError");
        fail(error);
        controller.abort(error);
      }, timeoutMs);
    }
    made.then(succeed, fail);
  } catch (error) {
    fail(error);
  }
}

/** Returns the outcome of a promise, or rejects with the reason of a signal that aborts first. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return signal === undefined ? promise : raceAbort(promise, signal);
}

async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const leave = (): void => aborted.reject(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([aborted.promise, promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
