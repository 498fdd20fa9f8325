import { noteMemoryState } from "../mod.ts";
import type { SessionOwner, SessionStore, StoredSession } from "../runtime/addon.ts";

/** Options of {@link memorySessionStore}. */
export interface MemorySessionOptions {
  /** How many sessions are kept; beyond it the one used longest ago ends. @default 100000 */
  readonly maxSessions?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps sessions in the memory of the process: for one process, and for tests. A restart signs everybody
 * out, and replicas do not see each other's sessions.
 *
 * @param options The bound.
 * @returns The store.
 * @throws {RangeError} for a bound that is no whole number from 1 up.
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
      `Cannot keep "${maxSessions}" sessions in memory: give a whole number from 1 up.`,
    );
  }
  noteMemoryState("sign-in sessions", "give createSessions sqliteSessionStore(db)");
  // By id, in the order of last use: a session that is used moves to the end.
  const sessions = new Map<string, StoredSession>();
  const index = new Index();
  let created = 0;
  const remove = (id: string): boolean => {
    const session = sessions.get(id);
    if (session === undefined) return false;
    for (const key of keysOf(session)) index.remove(key, id);
    return sessions.delete(id);
  };
  const read = (id: string): StoredSession | undefined => {
    const session = sessions.get(id);
    if (session === undefined || session.expiresAtMs > now()) return session;
    remove(id);
    return undefined;
  };
  const removeAll = (ids: readonly string[]): number =>
    ids.filter((id) => read(id) !== undefined && remove(id)).length;
  // Once as many sessions are new as are live: each new one pays for a few looks. A timer would keep
  // tests and processes waiting.
  const dropExpired = (): void => {
    if (++created * 2 < sessions.size) return;
    created = 0;
    for (const id of sessions.keys()) read(id);
  };
  return {
    create: (session) => {
      dropExpired();
      sessions.set(session.id, session);
      for (const key of keysOf(session)) index.add(key, session.id);
      for (const id of sessions.keys()) {
        if (sessions.size <= maxSessions) break;
        remove(id);
      }
    },
    read,
    touch: (id, { usedAtMs, expiresAtMs }) => {
      const session = read(id);
      if (session === undefined) return false;
      sessions.delete(id);
      sessions.set(id, { ...session, usedAtMs, expiresAtMs });
      return true;
    },
    replaceData: (id, { from, to }) => {
      const session = read(id);
      if (session === undefined || session.data !== from) return false;
      sessions.set(id, { ...session, data: to });
      return true;
    },
    delete: (id) => removeAll([id]) === 1,
    list: (owner) =>
      index.find(ownerKey(owner))
        .map(read)
        .filter((session) => session !== undefined)
        .sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs),
    deleteBySubject: (owner, { except } = {}) =>
      removeAll(index.find(ownerKey(owner)).filter((id) => id !== except)),
    deleteBySid: (provider, sid) => removeAll(index.find(sidKey({ provider, sid }))),
  };
}

/** Ids by a key that several share. */
class Index {
  readonly #ids: Map<string, Set<string>> = new Map();

  add(at: string, id: string): void {
    const ids = this.#ids.get(at);
    if (ids === undefined) this.#ids.set(at, new Set([id]));
    else ids.add(id);
  }

  remove(at: string, id: string): void {
    const ids = this.#ids.get(at);
    if (ids?.delete(id) === true && ids.size === 0) this.#ids.delete(at);
  }

  find(at: string): string[] {
    return [...this.#ids.get(at) ?? []];
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
