import { type HttpError, httpError } from "../base/errors/errors.ts";
import { Deadline, dropDeadline, startDeadline } from "../body/deadline.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { logPath } from "../request/log_path.ts";

/** Creates the error of a handler whose client disconnected; proxies log 499 for it. */
function clientLeft(): HttpError {
  return httpError(499, "the client went away", { code: "client_left" });
}

export interface DeadlineOptions {
  /** The time limit in milliseconds; `Infinity` for no limit. */
  readonly limitMs: number;
  readonly onLate: () => HttpError;
}

/**
 * Waits for a handler up to a deadline. Time spent reading the request body does not count, since the body
 * has a deadline of its own. A result after the deadline is ignored. All handlers share the sweep of the
 * body's reads: a timer per request costs a quarter of a small request (`bench/http`).
 *
 * @returns The result of the handler; rejects with the error of `onLate` when the time is up.
 */
export function endInTime(
  c: RequestCtx,
  work: Promise<Response>,
  options: DeadlineOptions,
): Promise<Response> {
  const { limitMs, onLate } = options;
  if (limitMs === Infinity) return work;
  return new Promise((resolve, reject) => {
    let isLate = false;
    let deadline: Deadline;
    const watch = (startMs: number): void => {
      deadline = new Deadline(startMs + limitMs, expire);
      startDeadline(deadline);
    };
    const expire = (): void => {
      if (!c.hasWriteDeadline) return;
      const now = performance.now();
      const startMs = Math.min(c.touchedBody?.readEndMs ?? 0, now);
      if (startMs + limitMs > now) return watch(startMs);
      isLate = true;
      // The client has disconnected: that is not a failure of the server.
      const error = c.hasClientLeft ? clientLeft() : onLate();
      c.abort(new DOMException("The deadline of the handler has passed.", "TimeoutError"));
      reject(error);
    };
    watch(performance.now());
    work.then((response) => {
      dropDeadline(deadline);
      if (isLate) response.body?.cancel().catch(() => {});
      else resolve(response);
    }, (error) => {
      dropDeadline(deadline);
      if (isLate) c.log.warn("handler failed after its deadline", { path: logPath(c), error });
      else reject(error);
    });
  });
}
