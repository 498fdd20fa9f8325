import { httpError } from "../mod.ts";
import type { Awaitable } from "../runtime/addon.ts";

/**
 * Calls a store; a failing store neither signs users in nor out.
 *
 * @throws {HttpError} 503 `session_store_failed`.
 */
export function askStore<T>(act: () => Awaitable<T>): Awaitable<T> {
  try {
    const asked = act();
    // A store of others may return a promise of its own kind.
    return isThenable(asked) ? Promise.resolve(asked).catch(refuse) : asked;
  } catch (error) {
    return refuse(error);
  }
}

function isThenable<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof value === "object" && value !== null && "then" in value;
}

function refuse(cause: unknown): never {
  throw httpError(503, "The session store failed.", { code: "session_store_failed", cause });
}
