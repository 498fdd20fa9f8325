import { type HttpError, httpError } from "../base/errors.ts";
import { Deadline, dropDeadline, startDeadline } from "../body/deadline.ts";
import type { Exchange } from "../request/exchange.ts";

/** The error of a handler whose client went away; 499 is what proxies log for it. */
function clientLeft(): HttpError {
  return httpError(499, "the client went away", { code: "client_left" });
}

/** How work is bounded. */
export interface DeadlineOptions {
  /** How long it may take, in milliseconds; `Infinity` for ever. */
  readonly limitMs: number;
  /** Gives the error with which it is given up. */
  readonly onLate: () => HttpError;
}

/**
 * Waits for a handler, but not for ever. The time in which its request's body is read does not count:
 * that has a deadline of its own. What a handler gives after its time changes nothing. All handlers
 * share the sweep of the body's reads: a timer a request costs a quarter of a small one (`bench/http`).
 *
 * @returns What the handler gives; rejects with the error of `onLate` when the time is up.
 */
export function endInTime(
  c: Exchange,
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
      // Nobody waits for the answer of a client that left: that is no failure of the server.
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
      if (isLate) c.log.warn("handler failed after its deadline", { path: c.target.path, error });
      else reject(error);
    });
  });
}
