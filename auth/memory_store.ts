import { type Application, noteMemoryState } from "../mod.ts";
import {
  findStores,
  noteStoreState,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../runtime/addon.ts";

/** Options of {@link memorySessionStore}. */
export interface MemorySessionOptions {
  /** Maximum number of sessions; a new one evicts the least recently used. @default 100000 */
  readonly maxSessions?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps sessions in the memory of the process, for single-process apps and tests. A restart signs
 * all users out, and replicas do not see each other's sessions.
 *
 * @throws {RangeError} if `maxSessions` is not an integer of at least 1.
 * @example
 * ```ts
 * import { createSessions, memorySessionStore } from "@fw/fw/auth";
 *
 * const sessions = createSessions({ store: memorySessionStore({ maxSessions: 10_000 }) });
 * console.assert(typeof sessions.start === "function");
 * ```
 */
export function memorySessionStore(options: MemorySessionOptions = {}): SessionStore {
  const { maxSessions = 100_000, now = Date.now } = options;
  if (!Number.isSafeInteger(maxSessions) || maxSessions < 1) {
    throw new RangeError(
      `Cannot keep "${maxSessions}" sessions in memory: use an integer from 1 up.`,
    );
  }
  noteMemoryState("sign-in sessions", "createSessions({ stored: true }) and provideStores(app, …)");
  return new MemorySessions(maxSessions, now);
}

/** Returns a function that finds an application's provided store, else creates one in memory. */
export function providedStore(name: "sessions" | "tokens"): (app: Application) => SessionStore {
  noteStoreState(name === "tokens" ? "API tokens" : "sign-in sessions", name);
  return (app) => findStores(app)[name] ?? new MemorySessions(100_000, Date.now);
}

/** Sessions checked per added session: more than one, so that no backlog of expired sessions grows. */
const looksPerSession = 4;

class MemorySessions implements SessionStore {
  readonly #maxSessions: number;
  readonly #now: () => number;
  // By id, in order of last use: using a session moves it to the end.
  readonly #sessions: Map<string, StoredSession> = new Map();
  /** Session ids by subject and by the provider's session id. */
  readonly #index: Map<string, Set<string>> = new Map();
  // Keep the iterator: a new one would step over every entry removed since the map last grew.
  #keys = this.#sessions.keys();
  /** The id of the least recently used session, until it is used or removed. */
  #oldest: string | undefined;

  constructor(maxSessions: number, now: () => number) {
    this.#maxSessions = maxSessions;
    this.#now = now;
  }

  create(session: StoredSession): boolean {
    this.#sweep();
    if (this.read(session.id) !== undefined) return false;
    this.#sessions.set(session.id, session);
    for (const key of keysOf(session)) {
      this.#index.getOrInsertComputed(key, () => new Set()).add(session.id);
    }
    while (this.#sessions.size > this.#maxSessions) this.#remove(this.#findOldest());
    return true;
  }

  read(id: string): StoredSession | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined || session.expiresAtMs > this.#now()) return session;
    this.#remove(id);
    return undefined;
  }

  touch(id: string, { usedAtMs, expiresAtMs }: Parameters<SessionStore["touch"]>[1]): boolean {
    const session = this.read(id);
    if (session === undefined) return false;
    this.#unset(id);
    this.#sessions.set(id, { ...session, usedAtMs, expiresAtMs });
    return true;
  }

  replaceData(id: string, { from, to }: Parameters<SessionStore["replaceData"]>[1]): boolean {
    const session = this.read(id);
    if (session === undefined || session.data !== from) return false;
    this.#sessions.set(id, { ...session, data: to });
    return true;
  }

  delete(id: string): boolean {
    return this.#removeAll([id]) === 1;
  }

  list(owner: SessionOwner): StoredSession[] {
    return this.#find(ownerKey(owner))
      .map((id) => this.read(id))
      .filter((session) => session !== undefined)
      .sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs);
  }

  deleteBySubject(owner: SessionOwner, { except }: { readonly except?: string } = {}): number {
    return this.#removeAll(this.#find(ownerKey(owner)).filter((id) => id !== except));
  }

  deleteBySid(provider: string, sid: string): number {
    return this.#removeAll(this.#find(sidKey({ provider, sid })));
  }

  #find(key: string): string[] {
    return [...this.#index.get(key) ?? []];
  }

  #remove(id: string): boolean {
    const session = this.#sessions.get(id);
    if (session === undefined) return false;
    for (const key of keysOf(session)) {
      const ids = this.#index.get(key);
      if (ids?.delete(id) === true && ids.size === 0) this.#index.delete(key);
    }
    return this.#unset(id);
  }

  #unset(id: string): boolean {
    if (id === this.#oldest) this.#oldest = undefined;
    return this.#sessions.delete(id);
  }

  #findOldest(): string {
    if (this.#oldest !== undefined) return this.#oldest;
    // A finished iterator does not see entries added later, so start a new one.
    let next = this.#keys.next();
    if (next.done === true) next = (this.#keys = this.#sessions.keys()).next();
    this.#oldest = next.value;
    return this.#oldest ?? "";
  }

  #removeAll(ids: readonly string[]): number {
    return ids.filter((id) => this.read(id) !== undefined && this.#remove(id)).length;
  }

  // Each new session checks a few of the least recently used ones, so that no single one pays for all that
  // expired overnight. A timer would keep tests and processes from exiting.
  #sweep(): void {
    for (let look = 0; look < looksPerSession; look++) {
      if (this.read(this.#findOldest()) !== undefined) return;
    }
  }
}

function keysOf(session: StoredSession): string[] {
  return [ownerKey(session), ...session.sid === undefined ? [] : [sidKey(session)]];
}

function ownerKey({ provider, subject }: SessionOwner): string {
  return JSON.stringify(["subject", provider, subject]);
}

function sidKey({ provider, sid = "" }: Pick<StoredSession, "provider" | "sid">): string {
  return JSON.stringify(["sid", provider, sid]);
}
