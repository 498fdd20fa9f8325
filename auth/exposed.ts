import type { Party } from "./oidc/party.ts";
import type { SessionManager } from "./session_manager.ts";

/** The inner side of a public object. */
interface Inside {
  readonly manager: SessionManager;
  /** The registration, of what a provider returned. */
  readonly party?: Party;
}

const insides: WeakMap<object, Inside> = new WeakMap();

/** Remembers the inner side of a public object, for the test helpers and for shared sessions. */
export function expose<T extends object>(owner: T, inside: Inside): T {
  insides.set(owner, inside);
  return owner;
}

/**
 * Returns the sessions behind a public object.
 *
 * @throws {TypeError} for an object of another package.
 */
export function managerOf(owner: object): SessionManager {
  const manager = insides.get(owner)?.manager;
  if (manager !== undefined) return manager;
  throw new TypeError('Cannot find "sessions": give what createSessions or oidc returned.');
}

/**
 * Returns the registration behind a public object.
 *
 * @throws {TypeError} for an object that no provider made.
 */
export function partyOf(owner: object): Party {
  const party = insides.get(owner)?.party;
  if (party !== undefined) return party;
  throw new TypeError('Cannot find "auth": give what oidc or another provider returned.');
}
