import type { Awaitable, SessionStore, StoredSession } from "../runtime/addon.ts";
import { askStore } from "./store_calls.ts";

/** Sessions that tests made, until a request brings them to the store of its application. */
export class PlantedSessions {
  readonly #sessions: Map<string, StoredSession> = new Map();

  /** Keeps a session for the request that has its cookie. */
  put(session: StoredSession): void {
    this.#sessions.set(session.id, session);
  }

  /** Writes a session to the store and returns it; `undefined` where none waits. */
  bring(store: SessionStore, id: string): Awaitable<StoredSession> | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    this.#sessions.delete(id);
    const written = askStore(() => store.create(session));
    return written instanceof Promise ? written.then(() => session) : session;
  }
}
