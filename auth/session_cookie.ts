import type { Application, Ctx } from "../mod.ts";
import { prefixedCookieName, type StoredSession, verifySigned } from "../runtime/addon.ts";
import { RecentTexts } from "./recent_texts.ts";

/** The version of the cookie's content: of another version nothing is read. */
const version = 1;

/** What browsers keep of a cookie, name and value together, in bytes. */
const maxCookieBytes = 4_096;

/** Keeps a whole session in one signed cookie. */
export class SessionCookie {
  readonly #name: string;
  /** Sessions by their cookies, for each application: another one has another secret. */
  readonly #recent: WeakMap<Application, RecentTexts<StoredSession>> = new WeakMap();

  readonly #idleMs: number;

  /** @param options `cookie` is its name without a prefix. */
  constructor(options: { readonly cookie: string; readonly idleMs: number }) {
    this.#name = options.cookie;
    this.#idleMs = options.idleMs;
  }

  /** Returns the session of the request, whether it is over or not; `undefined` for anything forged. */
  read(c: Ctx): StoredSession | undefined {
    const name = prefixedCookieName(c, this.#name);
    const text = c.cookie(name);
    if (text === undefined || text.length < 64) return undefined;
    const recent = this.#recentOf(c.app);
    const known = recent.find(text);
    if (known !== undefined) return known;
    const value = verifySigned(c, { name, text });
    const session = value === undefined ? undefined : decodeSession(value, this.#idleMs);
    if (session !== undefined) recent.put(text, session);
    return session;
  }

  #recentOf(app: Application): RecentTexts<StoredSession> {
    let recent = this.#recent.get(app);
    if (recent === undefined) {
      recent = new RecentTexts();
      this.#recent.set(app, recent);
    }
    return recent;
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
    usedAtMs - issuedAtMs,
    endsAtMs - issuedAtMs,
  ]);
}

/**
 * Reads what {@link encodeSession} wrote; `undefined` for anything else, as of another version.
 *
 * @param idleMs How long a session lasts without use.
 */
function decodeSession(text: string, idleMs: number): StoredSession | undefined {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(list) || list.length !== 10 || list[0] !== version) return undefined;
  const [, id, provider, subject, email, name, roles, issuedAtMs, used, ends] = list as unknown[];
  if (typeof id !== "string" || typeof provider !== "string" || typeof subject !== "string") {
    return undefined;
  }
  if (email !== null && typeof email !== "string") return undefined;
  if (name !== null && typeof name !== "string") return undefined;
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === "string")) return undefined;
  if (!isTime(issuedAtMs) || !isTime(used) || !isTime(ends)) return undefined;
  return {
    id,
    provider,
    subject,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    roles: Object.freeze(roles),
    device: "",
    issuedAtMs,
    usedAtMs: issuedAtMs + used,
    expiresAtMs: issuedAtMs + Math.min(used + idleMs, ends),
    endsAtMs: issuedAtMs + ends,
  };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
