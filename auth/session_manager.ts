import { type Application, type Ctx, type Key, key, noteMemoryState } from "../mod.ts";
import {
  type Awaitable,
  findApplication,
  isCookieRepeated,
  isHeadSent,
  markGuarded,
  markPrivate,
  prefixedCookieName,
  randomToken,
  renewCsrfToken,
  repeatCheck,
  type SessionStore,
  signedIn,
  type StoredSession,
  varyByCookie,
} from "../runtime/addon.ts";
import {
  createSession,
  hashId,
  isIdentifier,
  parseDevice,
  type ProviderPart,
  type SignIn,
  type User,
  userOf,
} from "./session_record.ts";
import { createGuards, type Guards, signInError } from "./guards.ts";
import { RecentTexts } from "./recent_texts.ts";
import { SessionCookie, storedFix } from "./session_cookie.ts";
import {
  openStores,
  renewEveryMs,
  type SessionOptions,
  type SessionSettings,
  sessionSettings,
} from "./session_options.ts";

interface Known {
  readonly found: Awaitable<StoredSession | undefined>;
  /** Whether a guard let the request pass and marked its response. */
  isGuarded: boolean;
}

interface SessionProvider {
  /** Whether sessions without an account end, because `account` was set after they started. */
  readonly hasAccounts: boolean;
  /** Runs once for each request that looks up its session. */
  prepare(c: Ctx): void;
  signOutUrl(c: Ctx, ended: StoredSession | undefined): Promise<string>;
}

/** The sessions of an application, used by `createSessions` and the identity providers. */
export class SessionManager {
  readonly settings: SessionSettings;
  readonly guards: Guards;
  readonly #storeOf: ((app: Application) => SessionStore) | undefined;
  /** Sessions created by tests, until a request writes them to its application's store. */
  readonly planted: Map<string, StoredSession> = new Map();
  /** The identity providers that share the sessions, by issuer. */
  readonly providers: Map<string, SessionProvider> = new Map();
  readonly #cookie: SessionCookie;
  readonly #known: Key<Known>;
  /** Cached hashes of identifiers whose sessions were found. */
  readonly #ids: RecentTexts<string> = new RecentTexts();

  /** @throws {RangeError} for an option that is out of range. */
  constructor(options: SessionOptions = {}) {
    this.settings = sessionSettings(options);
    this.#storeOf = openStores(this.settings.store);
    if (this.#storeOf === undefined) noteMemoryState("cookie sessions that have ended", storedFix);
    this.#cookie = new SessionCookie(this.settings);
    this.#known = key<Known>("fw.session");
    this.guards = createGuards({
      settings: this.settings,
      look: (c) => this.#look(c).found,
      mark: (c, session) =>
        session === undefined ? varyByCookie(c, this.#factOf(c)) : this.#markGuarded(c, session),
    });
  }

  /** Returns the session of a request. @throws {HttpError} 503 if the store fails, so that no one is signed out. */
  async find(c: Ctx): Promise<StoredSession | undefined> {
    const session = await this.#look(c).found;
    this.#mark(c, session);
    return session;
  }

  #look(c: Ctx): Known {
    return c.get(this.#known) ?? this.#know(c, this.#load(c));
  }

  #know(c: Ctx, found: Awaitable<StoredSession | undefined>): Known {
    const known: Known = { found, isGuarded: false };
    c.set(this.#known, known);
    return known;
  }

  /** Marks the response as user-specific: what it shows depends on who is signed in. */
  #mark(c: Ctx, session: StoredSession | undefined): void {
    if (this.#look(c).isGuarded) return;
    varyByCookie(c, this.#factOf(c, session));
    if (session === undefined) return;
    c.set(signedIn, session);
    markPrivate(c);
  }

  #markGuarded(c: Ctx, session: StoredSession): void {
    const known = this.#look(c);
    if (!known.isGuarded) {
      c.set(signedIn, session);
      markGuarded(c, this.#factOf(c, session));
    }
    known.isGuarded = true;
  }

  /** Returns what ETags depend on: the session id, because the cookie is renewed and outlives the session. */
  #factOf(c: Ctx, session?: StoredSession): { name: string; value: string | undefined } {
    return { name: prefixedCookieName(c, this.settings.cookie), value: session?.id };
  }

  #load(c: Ctx): Awaitable<StoredSession | undefined> {
    for (const provider of this.providers.values()) provider.prepare(c);
    const store = this.findStore(c.app);
    const token = this.#readCookie(c);
    if (token === undefined) return undefined;
    repeatCheck(c, async () => {
      if (await this.isLive(c) === false) throw signInError(c, this.settings, "sign-in-required");
    });
    if (store === undefined) return this.#use(c, this.#cookie.read(c, token));
    if (!isIdentifier(token)) return undefined;
    const recent = this.#ids.find(token);
    const id = recent ?? hashId(token);
    const use = (session: StoredSession | undefined): Awaitable<StoredSession | undefined> => {
      if (recent === undefined && session !== undefined) this.#ids.put(token, id);
      return this.#use(c, session);
    };
    const planted = this.planted.get(id);
    const read = planted === undefined ? store.read(id) : this.#bring(store, planted);
    return read instanceof Promise ? read.then(use) : use(read);
  }

  async #bring(store: SessionStore, session: StoredSession): Promise<StoredSession> {
    await store.create(session);
    this.planted.delete(session.id);
    return session;
  }

  #readCookie(c: Ctx): string | undefined {
    const name = prefixedCookieName(c, this.settings.cookie);
    const token = c.cookie(name);
    if (token === undefined || !isCookieRepeated(c, name)) return token;
    c.app.security.report(c, "auth", { reason: "session-cookie-repeated" });
    return undefined;
  }

  #use(c: Ctx, session: StoredSession | undefined): Awaitable<StoredSession | undefined> {
    if (session === undefined) return undefined;
    const { account, provider } = session;
    if (account === undefined && this.providers.get(provider)?.hasAccounts) return undefined;
    const now = this.settings.now();
    if (now >= session.expiresAtMs || now >= session.endsAtMs) return undefined;
    if (now - session.usedAtMs < renewEveryMs) return session;
    const used: StoredSession = {
      ...session,
      usedAtMs: now,
      expiresAtMs: Math.min(session.endsAtMs, now + this.settings.idleMs),
    };
    const store = this.findStore(c.app);
    if (store === undefined) {
      if (!isHeadSent(c)) this.#cookie.write(c, used, used.expiresAtMs - now);
      return used;
    }
    // A session ended between the read and the touch must not be used by this request.
    const isThere = store.touch(used.id, used);
    if (isThere instanceof Promise) return isThere.then((is) => is ? used : undefined);
    return isThere ? used : undefined;
  }

  /** Starts a session, as `Sessions.start` describes, for the application or for a provider. */
  async start(c: Ctx, who: SignIn, part: ProviderPart = { provider: "" }): Promise<User> {
    if (isHeadSent(c)) {
      throw new TypeError("Cannot start a session: the head has been sent; start it earlier.");
    }
    const store = this.findStore(c.app);
    const token = randomToken();
    const session = createSession(who, {
      part,
      settings: this.settings,
      // In a cookie session the id only distinguishes sessions, because the signature protects it.
      id: store === undefined ? token.slice(0, 22) : hashId(token),
      device: parseDevice(c.request.headers.get("user-agent")),
    });
    const old = await this.#look(c).found;
    if (store === undefined) {
      this.#cookie.write(c, session, session.expiresAtMs - session.usedAtMs);
      if (old !== undefined) this.#cookie.end(c, old);
    } else {
      await store.create(session);
      if (old !== undefined) await store.delete(old.id);
      await this.#bound(store, session);
      this.#setCookie(c, token, Math.ceil(this.settings.absoluteMs / 1_000));
    }
    renewCsrfToken(c);
    this.#know(c, session);
    this.#mark(c, session);
    return userOf(session);
  }

  /** Ends a subject's sessions beyond the maximum, so that one account cannot fill the store. */
  async #bound(store: SessionStore, session: StoredSession): Promise<void> {
    const sessions = await store.list(session);
    for (const { id } of sessions.slice(this.settings.maxPerSubject)) {
      if (id !== session.id) await store.delete(id);
    }
  }

  #setCookie(c: Ctx, value: string, maxAgeSeconds: number): void {
    c.setCookie({ name: prefixedCookieName(c, this.settings.cookie), value, maxAgeSeconds });
  }

  /** Ends the session of the browser, as `Sessions.end` describes, and returns it. */
  async end(c: Ctx): Promise<StoredSession | undefined> {
    const ended = await this.find(c);
    if (ended !== undefined) {
      const store = this.findStore(c.app);
      if (store === undefined) this.#cookie.end(c, ended);
      else await store.delete(ended.id);
    }
    this.#setCookie(c, "", 0);
    this.#know(c, undefined);
    varyByCookie(c, this.#factOf(c));
    markPrivate(c);
    return ended;
  }

  /** Reports whether the session that a request has looked up still exists; `undefined` without one. */
  async isLive(c: Ctx): Promise<boolean | undefined> {
    const session = await this.#look(c).found;
    const store = this.findStore(c.app);
    if (session === undefined) return undefined;
    if (this.settings.now() >= session.endsAtMs) return false;
    if (store === undefined) return !this.#cookie.isEnded(c, session);
    return await store.read(session.id) !== undefined;
  }

  requireStore(at: Ctx | Application, act: string): SessionStore {
    return this.needStore(act)(findApplication(at));
  }

  findStore(app: Application): SessionStore | undefined {
    return this.#storeOf?.(app);
  }

  /** Returns the function that finds an application's store. @throws {TypeError} without one. */
  needStore(act: string): (app: Application) => SessionStore {
    if (this.#storeOf !== undefined) return this.#storeOf;
    throw new TypeError(
      `Cannot ${act}: the sessions are only in cookies; give them a store: ` +
        "createSessions({ stored: true }), and provideStores(app, …) in Setup.",
    );
  }
}

/** Managers by the object that `createSessions` or a provider returned, for test helpers and shared sessions. */
export const managers: WeakMap<object, SessionManager> = new WeakMap();

/** Returns the manager of a sessions object. @throws {TypeError} for any other object. */
export function findManager(sessions: object): SessionManager {
  const manager = managers.get(sessions);
  if (manager !== undefined) return manager;
  throw new TypeError('Cannot find "sessions": use the result of createSessions or oidc.');
}
