import type { SessionManager } from "./session_manager.ts";

/** The managers behind `createSessions` and the providers, for the test helpers and for shared sessions. */
export const managers: WeakMap<object, SessionManager> = new WeakMap();

/** Returns the manager of public sessions. @throws {TypeError} for an object of another package. */
export function findManager(sessions: object): SessionManager {
  const manager = managers.get(sessions);
  if (manager !== undefined) return manager;
  throw new TypeError('Cannot find "sessions": use the result of createSessions or oidc.');
}
