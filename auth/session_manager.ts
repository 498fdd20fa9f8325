import { type Application, type Ctx, type Key, key } from "../mod.ts";
import {
  type Awaitable,
  isHeadSent,
  markGuarded,
  markPrivate,
  prefixedCookieName,
  randomToken,
  renewCsrfToken,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
  varyByCookie,
} from "../runtime/addon.ts";
import { parseDevice } from "./device.ts";
import { createGuards, type Guards } from "./guards.ts";
import { PlantedSessions } from "./planted_sessions.ts";
import { RecentTexts } from "./recent_texts.ts";
import { SessionCookie } from "./session_cookie.ts";
import {
  renewEveryMs,
  type SessionOptions,
  type SessionSettings,
  sessionSettings,
} from "./session_options.ts";
import {
  createSession,
  hashId,
  isIdentifier,
  type ProviderPart,
  userOf,
} from "./session_record.ts";
import { askStore } from "./store_calls.ts";
import type { SignIn, User } from "./user.ts";

/** A session of a request that has not ended. */
export interface LiveSession extends StoredSession {
  /** Who is signed in. */
  readonly user: User;
}

/** What a request knows of its session: found, or being looked for. */
interface Known {
  readonly found: Awaitable<StoredSession | undefined>;
  /** Whether a guard let the request pass: its response is marked already. */
  isGuarded: boolean;
}

/** The sessions of an application: what `createSessions` hands out, and what identity providers build on. */
export class SessionManager {
  /** The options with their defaults. */
  readonly settings: SessionSettings;
  /** The guards. */
  readonly guards: Guards;
  /** Runs once for each request that asks who is signed in; identity providers set it. */
  prepare: ((c: Ctx) => void) | undefined = undefined;
  readonly #cookie: SessionCookie;
  readonly #known: Key<Known>;
  /** The hashes of identifiers whose sessions were found. */
  readonly #ids: RecentTexts<string> = new RecentTexts();
  /** The stores that applications brought. */
  readonly #stores: WeakMap<Application, SessionStore> = new WeakMap();
  readonly #planted: PlantedSessions = new PlantedSessions();

  /** @throws {RangeError} for an option that is out of range. */
  constructor(options: SessionOptions = {}) {
    this.settings = sessionSettings(options);
    const { loginPath, adminRole, cookie } = this.settings;
    this.#cookie = new SessionCookie(this.settings);
    this.#known = key<Known>("fw.session");
    this.guards = createGuards({
      loginPath,
      adminRole,
      cookie,
      look: (c) => this.#look(c).found,
      mark: (c, session) => this.#mark(c, { session, isGuarded: true }),
      userOf,
    });
  }

  /** Whether sessions are on the server. */
  get hasStore(): boolean {
    return this.settings.store !== undefined;
  }

  /** The store of an application. */
  #storeOf({ app }: { readonly app: Application }): SessionStore | undefined {
    const { store } = this.settings;
    if (typeof store !== "function") return store;
    let opened = this.#stores.get(app);
    if (opened === undefined) {
      opened = store(app);
      this.#stores.set(app, opened);
    }
    return opened;
  }

  /**
   * Returns the session of a request, looked for once a request.
   *
   * @throws {HttpError} 503 `session_store_failed` where the store fails: a failure never makes a user anonymous,
   * or for signed in, because of a fault.
   */
  find(c: Ctx): Awaitable<LiveSession | undefined> {
    const { found } = this.#look(c);
    const finish = (session: StoredSession | undefined): LiveSession | undefined => {
      this.#mark(c, { session, isGuarded: false });
      return session === undefined ? undefined : { ...session, user: userOf(session) };
    };
    return found instanceof Promise ? found.then(finish) : finish(found);
  }

  #look(c: Ctx): Known {
    const known = c.get(this.#known);
    return known ?? this.#know(c, this.#load(c));
  }

  #know(c: Ctx, found: Awaitable<StoredSession | undefined>): Known {
    const known: Known = { found, isGuarded: false };
    c.set(this.#known, known);
    return known;
  }

  /** Says on the response who it is for: what it shows depends on who is signed in. */
  #mark(
    c: Ctx,
    { session, isGuarded }: {
      readonly session: StoredSession | undefined;
      readonly isGuarded: boolean;
    },
  ): void {
    const known = this.#look(c);
    if (known.isGuarded) return;
    if (session !== undefined && isGuarded) {
      known.isGuarded = true;
      return markGuarded(c);
    }
    varyByCookie(c);
    if (session !== undefined) markPrivate(c);
  }

  #load(c: Ctx): Awaitable<StoredSession | undefined> {
    const store = this.#storeOf(c);
    this.prepare?.(c);
    if (store === undefined) return this.#use(c, this.#cookie.read(c));
    const token = this.#tokenOf(c);
    if (token === undefined) return undefined;
    const recent = this.#ids.find(token);
    const id = recent ?? hashId(token);
    const use = (session: StoredSession | undefined): Awaitable<StoredSession | undefined> => {
      if (recent === undefined && session !== undefined) this.#ids.put(token, id);
      return this.#use(c, session);
    };
    const read = this.#planted.bring(store, id) ?? askStore(() => store.read(id));
    return read instanceof Promise ? read.then(use) : use(read);
  }

  #tokenOf(c: Ctx): string | undefined {
    const token = c.cookie(prefixedCookieName(c, this.settings.cookie));
    return token !== undefined && isIdentifier(token) ? token : undefined;
  }

  /** The hash of the identifier in the cookie. */
  #idOf(c: Ctx): string | undefined {
    const token = this.#tokenOf(c);
    return token === undefined ? undefined : hashId(token);
  }

  /** Checks the deadlines of a session and notes its use. */
  #use(c: Ctx, session: StoredSession | undefined): Awaitable<StoredSession | undefined> {
    if (session === undefined) return undefined;
    const now = this.settings.now();
    if (now >= session.expiresAtMs || now >= session.endsAtMs) return undefined;
    if (now - session.usedAtMs < renewEveryMs) return session;
    const used: StoredSession = {
      ...session,
      usedAtMs: now,
      expiresAtMs: Math.min(session.endsAtMs, now + this.settings.idleMs),
    };
    const store = this.#storeOf(c);
    if (store === undefined) {
      if (!isHeadSent(c)) this.#cookie.write(c, used, used.expiresAtMs - now);
      return used;
    }
    // One that was ended between the two steps must not live on for this request.
    const isThere = askStore(() => store.touch(used.id, used));
    if (isThere instanceof Promise) return isThere.then((is) => is ? used : undefined);
    return isThere ? used : undefined;
  }

  /**
   * Starts a session under a new identifier, with a new CSRF token; the one that the browser had ends.
   *
   * @throws {TypeError} for a subject that is none, for sealed data without a store, in production
   * without `FW_SECRET` where there is no store, and once the head has been sent.
   * @throws {RangeError} for a session that is too large for a cookie.
   * @throws {HttpError} 503 where the store fails.
   */
  async start(c: Ctx, who: SignIn, part: ProviderPart = { provider: "" }): Promise<User> {
    if (isHeadSent(c)) {
      throw new TypeError("Cannot start a session: the head has been sent; start it before.");
    }
    const { absoluteMs } = this.settings;
    const store = this.#storeOf(c);
    const token = randomToken();
    const session = createSession(who, {
      part,
      settings: this.settings,
      // Of a session in a cookie it only tells sessions apart: the signature is what counts.
      id: store === undefined ? token.slice(0, 22) : hashId(token),
      device: parseDevice(c.request.headers.get("user-agent")),
    });
    if (store === undefined) {
      if (part.data !== undefined) {
        throw new TypeError("Cannot keep data with a session in a cookie: give it a store.");
      }
      this.#cookie.write(c, session, session.expiresAtMs - session.issuedAtMs);
    } else {
      const old = this.#idOf(c);
      await askStore(() => store.create(session));
      if (old !== undefined) await askStore(() => store.delete(old));
      await this.#bound(store, session);
      c.setCookie({
        name: prefixedCookieName(c, this.settings.cookie),
        value: token,
        maxAgeSeconds: Math.ceil(absoluteMs / 1_000),
      });
    }
    renewCsrfToken(c);
    this.#know(c, session);
    this.#mark(c, { session, isGuarded: false });
    return userOf(session);
  }

  /** Ends the sessions of a subject that are too many: one account must not fill the store. */
  async #bound(store: SessionStore, session: StoredSession): Promise<void> {
    const sessions = await askStore(() => store.list(session));
    for (const { id } of sessions.slice(this.settings.maxPerSubject)) {
      if (id !== session.id) await askStore(() => store.delete(id));
    }
  }

  /**
   * Ends the session of the browser.
   *
   * @returns The session that ended, or `undefined`.
   * @throws {TypeError} once the head has been sent.
   * @throws {HttpError} 503 where the store fails.
   */
  async end(c: Ctx): Promise<LiveSession | undefined> {
    const ended = await this.find(c);
    const store = this.#storeOf(c);
    const id = this.#idOf(c);
    if (store !== undefined && id !== undefined) await askStore(() => store.delete(id));
    this.#forget(c);
    return ended;
  }

  #forget(c: Ctx): void {
    c.setCookie({
      name: prefixedCookieName(c, this.settings.cookie),
      value: "",
      maxAgeSeconds: 0,
    });
    this.#know(c, undefined);
    varyByCookie(c);
    markPrivate(c);
  }

  /**
   * Replaces the sealed data of a session if it is still what the caller read.
   *
   * @returns Whether it was replaced; `false` where another replica was faster or the session has ended.
   */
  async replaceData(
    at: Ctx,
    session: Pick<StoredSession, "id" | "data">,
    to: string,
  ): Promise<boolean> {
    const store = this.requireStore("replace the data of a session", at);
    return await askStore(() => store.replaceData(session.id, { from: session.data, to }));
  }

  /** Returns a session by its `id`, with what its data is now. */
  async read(at: Ctx, id: string): Promise<StoredSession | undefined> {
    const store = this.requireStore("read a session", at);
    return await askStore(() => store.read(id));
  }

  /** Returns the sessions of an owner, the one used last first. */
  async list(at: Ctx, owner: SessionOwner): Promise<readonly StoredSession[]> {
    const store = this.requireStore("list sessions", at);
    return await askStore(() => store.list(owner));
  }

  /**
   * Ends one session of an owner.
   *
   * @returns Whether the owner had it.
   */
  async endOne(c: Ctx, owner: LiveSession, id: string): Promise<boolean> {
    const store = this.requireStore("end a session", c);
    const session = await askStore(() => store.read(id));
    if (session?.subject !== owner.subject || session.provider !== owner.provider) return false;
    if (id === owner.id) this.#forget(c);
    return await askStore(() => store.delete(id));
  }

  /**
   * Ends all sessions of an owner.
   *
   * @returns How many there were.
   */
  async endAllOf(
    at: Ctx | Application,
    owner: SessionOwner,
    options: { readonly except?: string } = {},
  ): Promise<number> {
    const store = this.requireStore("end the sessions of a subject", at);
    return await askStore(() => store.deleteBySubject(owner, options));
  }

  /**
   * Ends the sessions that a provider names by its own identifier.
   *
   * @returns How many there were.
   */
  async endBySid(at: Ctx, provider: string, sid: string): Promise<number> {
    const store = this.requireStore("end a session by the identifier of its provider", at);
    return await askStore(() => store.deleteBySid(provider, sid));
  }

  /**
   * Returns the store of an application.
   *
   * @throws {TypeError} without a store.
   */
  requireStore(act: string, at: Ctx | Application): SessionStore {
    const store = this.#storeOf("app" in at ? at : { app: at });
    if (store === undefined) throw storeMissing(act);
    return store;
  }

  /** @throws {TypeError} without a store. */
  needStore(act: string): void {
    if (!this.hasStore) throw storeMissing(act);
  }

  /** Makes a session for a test: returns what the cookie holds, for a store or to be signed. */
  plant(who: SignIn): StoredSession & { readonly token: string } {
    const token = randomToken();
    const part = { provider: "" };
    const at = { part, settings: this.settings, id: hashId(token), device: "a test" };
    const session = createSession(who, at);
    if (this.hasStore) this.#planted.put(session);
    return { ...session, token };
  }
}

function storeMissing(act: string): TypeError {
  return new TypeError(
    `Cannot ${act}: the sessions are in cookies alone; give them a store, such as ` +
      "memorySessionStore() or sqliteSessionStore(db).",
  );
}
