import type { SessionManager } from "./session_manager.ts";

/** The inner sides of public objects, for the test helpers and for shared sessions. */
export class Insides<T> {
  readonly #values: WeakMap<object, T> = new WeakMap();
  readonly #message: string;

  constructor(message: string) {
    this.#message = message;
  }

  put<O extends object>(owner: O, inside: T): O {
    this.#values.set(owner, inside);
    return owner;
  }

  /** Returns the inner side of an object. @throws {TypeError} for an object of another package. */
  of(owner: object): T {
    const inside = this.#values.get(owner);
    if (inside === undefined) throw new TypeError(this.#message);
    return inside;
  }
}

/** The managers behind `createSessions` and the providers. */
export const managers: Insides<SessionManager> = new Insides(
  'Cannot find "sessions": use the result of createSessions or oidc.',
);
