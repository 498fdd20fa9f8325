import { digestOf, type SessionOwner, type StoredSession } from "../../runtime/addon.ts";

const maxKept = 1_000;

interface Kept {
  readonly columns: readonly unknown[];
  readonly session: StoredSession;
}

/**
 * Caches parsed sessions, so that an unchanged session is always the same object: every guarded
 * request reads one, and other caches use the object as their key (`bench/http`).
 */
export class RecentSessions {
  readonly #kept: Map<string, Kept> = new Map();

  /** Returns the session for the columns just read; parses it if they have changed. */
  find(id: string, columns: readonly unknown[], parse: () => StoredSession): StoredSession {
    const kept = this.#kept.get(id);
    if (kept?.columns.every((column, at) => column === columns[at]) === true) return kept.session;
    const session = parse();
    this.#kept.set(id, { columns, session });
    if (this.#kept.size > maxKept) {
      const [oldest = ""] = this.#kept.keys();
      this.#kept.delete(oldest);
    }
    return session;
  }
}

/** Parses the JSON of a session, which omits its id and its mutable fields. */
export function parseSession(
  id: string,
  text: string,
  { data, ...use }: {
    readonly usedAtMs: number;
    readonly expiresAtMs: number;
    readonly data?: string | undefined;
  },
): StoredSession {
  const { roles, ...rest } = JSON.parse(text);
  const session = { ...rest, id, roles: Object.freeze(roles), ...use };
  return Object.freeze(data === undefined ? session : { ...session, data });
}

export function ownerDigest({ provider, subject }: SessionOwner): string {
  return digestOf(JSON.stringify(["subject", provider, subject]));
}

export function sidDigest(provider: string, sid: string): string {
  return digestOf(JSON.stringify(["sid", provider, sid]));
}

export function byUse(a: StoredSession, b: StoredSession): number {
  return b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs;
}
