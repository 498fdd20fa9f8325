import { FieldErrors, HttpError, NotFoundError } from "../mod.ts";
import { AiError } from "./errors.ts";

/**
 * Returns what a client may read of an error: the message about arguments that do not fit, of an
 * `HttpError` below 500, and the fields of `FieldErrors`.
 *
 * @returns `undefined` for any other error, which may name hosts, accounts and queries.
 */
export function publicMessage(error: unknown): string | undefined {
  if (error instanceof AiError) {
    return error.code === "ai_bad_arguments" ? error.message : undefined;
  }
  if (error instanceof FieldErrors) {
    return [...error].map(([field, message]) => `${field}: ${message}`).join("; ");
  }
  const isMeant = error instanceof NotFoundError ||
    (error instanceof HttpError && error.status < 500);
  return isMeant ? error.message : undefined;
}
