import { HttpError, httpError } from "../base/errors/errors.ts";
import { describeBytes } from "./format.ts";

/** Returns the 413 of a body over its limit. */
export function tooLarge(
  maxBytes: number,
  { explains }: { readonly explains: boolean },
): HttpError {
  const fix = explains
    ? "; raise it with c.allowBody(maxBytes) in a middleware of the route, or with " +
      "config.maxBodyBytes for all routes"
    : "";
  return httpError(413, `the body is over the limit of ${describeBytes(maxBytes)}${fix}`, {
    code: "body_too_large",
  });
}

/** Returns the 408 of a body that did not arrive in time. */
export function tooLate(): HttpError {
  return httpError(408, "the body did not come in time", { code: "body_timeout" });
}

/** Returns the 400 of a body in a great many tiny pieces. */
export function tooFragmented(): HttpError {
  return httpError(400, "the body came in too many small pieces: send larger chunks", {
    code: "body_fragmented",
  });
}

/** Returns the 400 of a body that broke off. */
export function unreadable(cause: unknown): HttpError {
  // A body created by other code may fail with its own error, which carries the status.
  if (cause instanceof HttpError) return cause;
  return httpError(400, "the body could not be read to its end", {
    code: "body_unreadable",
    cause,
  });
}
