import type { StoredSession } from "../runtime/addon.ts";

/** Maximum number of sessions that are kept as parsed. */
const maxKept = 1_000;

/** The members of a session that change while it lasts. */
export interface SessionUse {
  readonly usedAtMs: number;
  readonly expiresAtMs: number;
  readonly data: string | null | undefined;
}

interface Kept {
  readonly text: string;
  readonly session: StoredSession;
}

/**
 * Parses the texts of sessions and keeps the recent ones, which stay the same objects as long as nothing changes:
 * every guarded request reads one, and what depends on it is kept by it (`bench/http`).
 */
export class SessionTexts {
  readonly #kept: Map<string, Kept> = new Map();

  /** Returns the session of a string, with what its store keeps beside it. */
  read(id: string, text: string, use: SessionUse): StoredSession {
    const kept = this.#kept.get(id);
    if (kept?.text === text && isUse(kept.session, use)) return kept.session;
    const session = parseSession(text, use);
    this.#kept.set(id, { text, session });
    if (this.#kept.size > maxKept) {
      const [oldest = ""] = this.#kept.keys();
      this.#kept.delete(oldest);
    }
    return session;
  }
}

function isUse(session: StoredSession, { usedAtMs, expiresAtMs, data }: SessionUse): boolean {
  return session.usedAtMs === usedAtMs && session.expiresAtMs === expiresAtMs &&
    session.data === (data ?? undefined);
}

function parseSession(text: string, { data, ...use }: SessionUse): StoredSession {
  const { roles, ...rest } = JSON.parse(text);
  const session = { ...rest, roles: Object.freeze(roles), ...use };
  return Object.freeze(data === null || data === undefined ? session : { ...session, data });
}
