import type { Application, Ctx } from "../mod.ts";
import { equalSecrets, prefixedCookieName, type StoredSession } from "../runtime/addon.ts";

/** The version of the cookie's content: of another version nothing is read. */
const version = 1;

/** How many cookies are remembered with what they hold: a power of two. */
const slotCount = 1_024;

/** What browsers keep of a cookie, name and value together, in bytes. */
const maxCookieBytes = 4_096;

/** A cookie whose signature was checked. */
interface Slot {
  readonly app: Application;
  readonly text: string;
  readonly session: StoredSession;
}

/** Keeps a whole session in one signed cookie. */
export class SessionCookie {
  readonly #name: string;
  /**
   * Sessions by their cookies. Checking a signature takes longer than the rest of a small request
   * (`bench/http`), and a browser sends the same cookie again and again.
   */
  readonly #slots: (Slot | undefined)[] = [];

  /** @param name The name without a prefix. */
  constructor(name: string) {
    this.#name = name;
  }

  /** Returns the session of the request, whether it is over or not; `undefined` for anything forged. */
  read(c: Ctx): StoredSession | undefined {
    const name = prefixedCookieName(c, this.#name);
    const text = c.cookie(name);
    if (text === undefined || text.length < 64) return undefined;
    const at = slotOf(text);
    const slot = this.#slots[at];
    // Compared in constant time: how long a wrong cookie takes must not tell how much of it is right.
    if (slot !== undefined && slot.app === c.app && equalSecrets(slot.text, text)) {
      return slot.session;
    }
    const value = c.signed(name);
    const session = value === undefined ? undefined : decodeSession(value);
    if (session !== undefined) this.#slots[at] = { app: c.app, text, session };
    return session;
  }

  /**
   * Writes the session.
   *
   * @throws {RangeError} for a session that is too large for a cookie.
   */
  write(c: Ctx, session: StoredSession, ttlMs: number): void {
    const name = prefixedCookieName(c, this.#name);
    const value = encodeSession(session);
    // base64url takes four characters for three bytes; date and signature follow.
    const bytes = name.length + Math.ceil(new TextEncoder().encode(value).length * 4 / 3) + 56;
    if (bytes > maxCookieBytes) {
      throw new RangeError(
        `Cannot keep the session of "${session.subject}" in a cookie: it has ${bytes} of at most ` +
          `${maxCookieBytes} bytes (${session.roles.length} roles). Give createSessions a store, ` +
          "such as sqliteSessionStore(db).",
      );
    }
    c.setSigned(name, value, ttlMs);
  }
}

/** A place for a cookie, by characters of its signature, which are as good as random. */
function slotOf(text: string): number {
  let hash = 0;
  for (let at = text.length - 6; at < text.length; at++) hash = hash * 31 + text.charCodeAt(at) | 0;
  return hash & (slotCount - 1);
}

/** Writes a session as text: a list, since names would be paid for with every request. */
export function encodeSession(session: StoredSession): string {
  const { id, provider, subject, email, name, roles, issuedAtMs, usedAtMs, endsAtMs } = session;
  return JSON.stringify([
    version,
    id,
    provider,
    subject,
    email ?? null,
    name ?? null,
    roles,
    issuedAtMs,
    usedAtMs,
    session.expiresAtMs,
    endsAtMs,
  ]);
}

/** Reads what {@link encodeSession} wrote; `undefined` for anything else, as of another version. */
export function decodeSession(text: string): StoredSession | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || list.length !== 11 || list[0] !== version) return undefined;
  const [, id, provider, subject, email, name, roles, ...times] = list as unknown[];
  if (typeof id !== "string" || typeof provider !== "string" || typeof subject !== "string") {
    return undefined;
  }
  if (email !== null && typeof email !== "string") return undefined;
  if (name !== null && typeof name !== "string") return undefined;
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === "string")) return undefined;
  const [issuedAtMs, usedAtMs, expiresAtMs, endsAtMs] = times;
  if (
    !isTime(issuedAtMs) || !isTime(usedAtMs) || !isTime(expiresAtMs) || !isTime(endsAtMs)
  ) return undefined;
  return {
    id,
    provider,
    subject,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    roles: Object.freeze(roles),
    device: "",
    issuedAtMs,
    usedAtMs,
    expiresAtMs,
    endsAtMs,
  };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
