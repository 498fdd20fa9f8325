import type { SessionManager } from "./session_manager.ts";

/** Managers by the object that `createSessions` or a provider returned, for test helpers and shared sessions. */
export const managers: WeakMap<object, SessionManager> = new WeakMap();

/** Returns the manager of a sessions object. @throws {TypeError} for any other object. */
export function findManager(sessions: object): SessionManager {
  const manager = managers.get(sessions);
  if (manager !== undefined) return manager;
  throw new TypeError('Cannot find "sessions": use the result of createSessions or oidc.');
}
