import type { SessionManager } from "./session_manager.ts";

const managers: WeakMap<object, SessionManager> = new WeakMap();

/** Remembers what is behind a public object, for the test helpers and for passkeys. */
export function exposeManager<T extends object>(owner: T, manager: SessionManager): T {
  managers.set(owner, manager);
  return owner;
}

/**
 * Returns what is behind a public object.
 *
 * @throws {TypeError} for an object of another package.
 */
export function managerOf(owner: object): SessionManager {
  const manager = managers.get(owner);
  if (manager !== undefined) return manager;
  throw new TypeError("Cannot find sessions: give what createSessions or oidc returned.");
}
