import { httpError } from "../errors/errors.ts";
import { isThenable } from "../values.ts";
import type { Awaitable } from "./session.ts";

/**
 * Asks a store whose faults refuse the request: its errors become 503 `<kind>_store_failed`. It stays synchronous
 * where the store is.
 */
export function askStore<T>(
  kind: "session" | "passkey" | "ticket",
  act: () => Awaitable<T>,
): Awaitable<T> {
  const refuse = (cause: unknown): never => {
    const code = `${kind}_store_failed`;
    const headers = { "retry-after": "2" };
    throw httpError(503, `The ${kind} store failed.`, { code, cause, headers });
  };
  try {
    const asked = act();
    // A store of others may return a promise of its own kind.
    return isThenable(asked) ? Promise.resolve(asked).catch(refuse) : asked;
  } catch (error) {
    return refuse(error);
  }
}
