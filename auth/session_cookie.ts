import type { Application, Ctx } from "../mod.ts";
import {
  ExpiringNames,
  perApplication,
  prefixedCookieName,
  type StoredSession,
  verifySigned,
} from "../runtime/addon.ts";
import { RecentTexts } from "./recent_texts.ts";
import type { SessionSettings } from "./session_options.ts";

/** Version of the cookie's content; cookies of other versions are ignored. */
const version = 1;

/** Maximum size of a cookie in browsers, name and value together, in bytes. */
const maxCookieBytes = 4_096;

/** The fix that moves cookie sessions, including ended ones, to a store. */
export const storedFix =
  "createSessions({ stored: true }) and provideStores(app, sqliteStores(db))";

const fullNotice =
  "more sessions end than this process can remember, so cookies of sessions that " +
  `ended first may become valid again: ${storedFix}`;

type CookieSettings = Pick<SessionSettings, "cookie" | "idleMs" | "now">;

export class SessionCookie {
  readonly #options: CookieSettings;
  /** Sessions by cookie, per application, because each has its own secret. */
  readonly #recent: (app: Application) => RecentTexts<StoredSession> = perApplication(() =>
    new RecentTexts()
  );
  /** The ids of ended sessions whose cookies have not expired. */
  readonly #ended: (app: Application) => ExpiringNames;

  constructor(options: CookieSettings) {
    this.#options = options;
    const { now } = options;
    this.#ended = perApplication(({ log }) =>
      new ExpiringNames({ now, onFull: () => log.warn(fullNotice) })
    );
  }

  /** Reads a session, expired or not; `undefined` for a forged one and one that was ended in this process. */
  read(c: Ctx, text: string): StoredSession | undefined {
    const session = this.#verify(c, text);
    // A response in progress when the session ended may have renewed the cookie afterwards.
    return session === undefined || this.isEnded(c, session) ? undefined : session;
  }

  isEnded(c: Ctx, { id }: StoredSession): boolean {
    return this.#ended(c.app).has(id);
  }

  end(c: Ctx, { id }: StoredSession): void {
    // Cookies are not renewed after the end, so they expire within the idle time.
    this.#ended(c.app).add(id, this.#options.idleMs);
  }

  #verify(c: Ctx, text: string): StoredSession | undefined {
    if (text.length < 64) return undefined;
    const recent = this.#recent(c.app);
    const known = recent.find(text);
    if (known !== undefined) return known;
    const value = verifySigned(c, { name: prefixedCookieName(c, this.#options.cookie), text });
    const session = value === undefined ? undefined : decodeSession(value, this.#options.idleMs);
    if (session !== undefined) recent.put(text, session);
    return session;
  }

  /** Writes the session. @throws {RangeError} for a session that is too large for a cookie. */
  write(c: Ctx, session: StoredSession, ttlMs: number): void {
    const name = prefixedCookieName(c, this.#options.cookie);
    const value = encodeSession(session);
    // base64url takes four characters for three bytes; date and signature follow.
    const bytes = name.length + Math.ceil(new TextEncoder().encode(value).length * 4 / 3) + 56;
    if (bytes > maxCookieBytes) {
      throw new RangeError(
        `Cannot keep the session of "${session.subject}" in a cookie: it has ${bytes} of at most ` +
          `${maxCookieBytes} bytes (${session.roles.length} roles). Give createSessions a store: ` +
          "{ stored: true }, and provideStores(app, …) in Setup.",
      );
    }
    c.setSigned(name, value, ttlMs);
  }
}

/** Version, id, provider, subject, email, name, roles, times, account; the last two times are relative to the sign-in. */
type Packed = readonly [...Texts, Text, Text, readonly string[], number, number, number, string?];
type Texts = [typeof version, string, string, string];
type Text = string | null;

/** Encodes a session as a JSON array, because member names would lengthen every request. */
export function encodeSession(session: StoredSession): string {
  const { id, provider, subject, roles, usedAtMs, endsAtMs } = session;
  const { email = null, name = null, issuedAtMs, account } = session;
  const [used, ends] = [usedAtMs - issuedAtMs, endsAtMs - issuedAtMs];
  const who = [version, id, provider, subject, email, name, roles] as const;
  const more = account === undefined ? [] as const : [account] as const;
  return JSON.stringify([...who, issuedAtMs, used, ends, ...more] satisfies Packed);
}

/** Decodes {@link encodeSession}'s result; `undefined` for another version or the application's own cookie. */
function decodeSession(text: string, idleMs: number): StoredSession | undefined {
  let packed: Packed;
  try {
    packed = JSON.parse(text);
    if (packed[0] !== version || (packed.length !== 10 && packed.length !== 11)) return undefined;
  } catch {
    return undefined;
  }
  const [, id, provider, subject, email, name, roles, issuedAtMs, used, ends, account] = packed;
  return {
    id,
    provider,
    subject,
    ...(account === undefined ? {} : { account }),
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
