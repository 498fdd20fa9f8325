import { isThenable } from "../runtime/addon.ts";

/** Runs a function for all callers and settles their shared promise once. */
export function runFetch<M>(
  { label, fn, timeoutMs, settle, onFailure }: {
    readonly label: string;
    readonly fn: (signal: AbortSignal) => M | PromiseLike<M>;
    readonly timeoutMs: number;
    readonly settle: (made: M) => unknown;
    readonly onFailure: () => void;
  },
  { resolve, reject }: Pick<PromiseWithResolvers<unknown>, "resolve" | "reject">,
): void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (finish: () => void): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    try {
      finish();
    } catch (error) {
      onFailure();
      reject(error);
    }
  };
  const succeed = (made: M): void => end(() => resolve(settle(made)));
  const fail = (error: unknown): void =>
    end(() => {
      throw error;
    });
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
  if (signal === undefined) return promise;
  const aborted = Promise.withResolvers<never>();
  const leave = (): void => aborted.reject(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  return Promise.race([aborted.promise, promise])
    .finally(() => signal.removeEventListener("abort", leave));
}
