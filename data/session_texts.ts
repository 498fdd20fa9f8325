import type { StoredSession } from "../runtime/addon.ts";

/** Maximum number of sessions whose text is kept as parsed. */
const maxKept = 1_000;

/** The members of a session that change while it lasts. */
export type SessionUse = Pick<StoredSession, "usedAtMs" | "expiresAtMs"> & {
  readonly data: string | null | undefined;
};

/** Parses the texts of sessions and keeps the recent ones: every guarded request reads one (`bench/http`). */
export class SessionTexts {
  readonly #kept: Map<string, { readonly text: string; readonly parsed: StoredSession }> =
    new Map();

  /** Returns the session of a text, with what its store keeps beside it. */
  read(id: string, text: string, { data, ...use }: SessionUse): StoredSession {
    const parsed = this.#parse(id, text);
    return data === null || data === undefined
      ? { ...parsed, ...use }
      : { ...parsed, ...use, data };
  }

  #parse(id: string, text: string): StoredSession {
    const kept = this.#kept.get(id);
    if (kept?.text === text) return kept.parsed;
    const parsed: StoredSession = JSON.parse(text);
    Object.freeze(parsed.roles);
    this.#kept.set(id, { text, parsed });
    if (this.#kept.size > maxKept) {
      for (const oldest of this.#kept.keys()) {
        this.#kept.delete(oldest);
        break;
      }
    }
    return parsed;
  }
}
