import { type Application, type Ctx, httpError } from "../mod.ts";
import type { SessionStore, StoredSession } from "../runtime/addon.ts";
import type { Guards } from "./guards.ts";
import { managers, SessionManager } from "./session_manager.ts";
import type { SessionOptions } from "./session_options.ts";
import { isIdentifier, type SignIn, type User, userOf } from "./session_record.ts";

/** A session in the list that its owner sees. */
export interface SessionInfo {
  /** Identifies the session for `endOne`; safe to show, since it cannot be used to sign in. */
  readonly id: string;
  /** The browser and the system, such as `Firefox on Linux`; `""` if unknown. */
  readonly device: string;
  /** When the user signed in. */
  readonly issuedAt: Date;
  /** When the session was last used, up to a minute ago. */
  readonly usedAt: Date;
  /** Whether it is the session of this request. */
  readonly isCurrent: boolean;
}

/** The sign-in sessions of an application, as returned by {@link createSessions}. */
export interface Sessions extends Guards {
  /**
   * Signs a user in: starts a session with a new identifier and a new CSRF token, and ends the
   * browser's previous session.
   *
   * @throws {TypeError} for an empty subject, after the head has been sent, and in production
   * without a store or `FW_SECRET`.
   * @throws {RangeError} for a session that is too large for a cookie: use a store.
   * @throws {HttpError} 503 `session_store_failed`.
   */
  start(c: Ctx, who: SignIn): Promise<User>;
  /**
   * Returns the signed-in user, looked up once per request; `undefined` for an anonymous request.
   *
   * @throws {HttpError} 503 `session_store_failed`.
   */
  user(c: Ctx): Promise<User | undefined>;
  /**
   * Signs the user out of this browser. With a store the session ends at once; without one a copy of
   * the cookie stays valid until it expires.
   *
   * @throws {TypeError} after the head has been sent.
   * @throws {HttpError} 503 `session_store_failed`.
   */
  end(c: Ctx): Promise<void>;
  /**
   * Lists the sessions of the signed-in user, most recently used first.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 401 for an anonymous request, 503.
   */
  list(c: Ctx): Promise<readonly SessionInfo[]>;
  /**
   * Ends one session of the signed-in user, for example on a lost device; returns whether the user had it.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 401 for an anonymous request, 503.
   */
  endOne(c: Ctx, id: string): Promise<boolean>;
  /**
   * Ends the other sessions of the signed-in user; returns how many.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 401 for an anonymous request, 503.
   */
  endOthers(c: Ctx): Promise<number>;
  /**
   * Ends every session of a subject, for example after a password change; returns how many.
   *
   * @throws {TypeError} without a store.
   * @throws {HttpError} 503.
   */
  endAll(at: Ctx | Application, subject: string): Promise<number>;
}

/**
 * Creates the sign-in sessions of an application. The application chooses how users authenticate:
 * with a password, a passkey or an identity provider (`oidc`, which brings its own sessions).
 *
 * Without a store a session is a signed cookie, valid on every replica that has the same `FW_SECRET`.
 * With a store, the cookie contains an identifier of 256 random bits and the store its hash, so
 * sessions can be listed, and ended at once from anywhere.
 *
 * @throws {RangeError} for an option that is out of range.
 * @example
 * ```ts
 * import { App, type Ctx } from "@fw/fw";
 * import { createSessions, memorySessionStore } from "@fw/fw/auth";
 * import { newTestClient } from "@fw/fw/testing";
 *
 * const sessions = createSessions({ store: memorySessionStore() });
 * const POST = async (c: Ctx) => {
 *   await sessions.start(c, { subject: "42", name: "Ada", roles: ["editor"] });
 *   return c.redirect("/account");
 * };
 * const page = async (c: Ctx) => c.text(200, `Hello ${(await sessions.user(c))?.name}`);
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({ pattern: "/login", kind: "page", methods: { POST } });
 * app.route({ pattern: "/account", middleware: [{ Middleware: sessions.require }], page });
 *
 * const client = newTestClient(app);
 * await client.get("/account").wantStatus(302).wantHeader("location", "/login?next=%2Faccount");
 * await client.postForm("/login", {}).wantStatus(303);
 * await client.get("/account").wantContains("Hello Ada");
 * ```
 */
export function createSessions(options: SessionOptions = {}): Sessions {
  const manager = new SessionManager(options);
  const sessions = { ...sessionMethods(manager), ...manager.guards };
  managers.set(sessions, manager);
  return sessions;
}

export function sessionMethods(
  manager: SessionManager,
  provider = "",
): Omit<Sessions, keyof Guards> {
  return {
    start: (c, who) => manager.start(c, who),
    user: async (c) => {
      const session = await manager.find(c);
      return session && userOf(session);
    },
    end: async (c) => void await manager.end(c),
    list: async (c) => {
      const { store, current } = await findOwn(manager, c, "list sessions");
      const sessions = await store.list(current);
      return sessions.map(({ id, device, issuedAtMs, usedAtMs }) => ({
        id,
        device,
        issuedAt: new Date(issuedAtMs),
        usedAt: new Date(usedAtMs),
        isCurrent: id === current.id,
      }));
    },
    endOne: async (c, id) => {
      const { store, current } = await findOwn(manager, c, "end a session");
      if (id === current.id) return await manager.end(c) !== undefined;
      // The browser sends the id, and not every store accepts every string.
      const session = isIdentifier(id) ? await store.read(id) : undefined;
      const isOwn = session?.subject === current.subject && session.provider === current.provider;
      return isOwn && await store.delete(id);
    },
    endOthers: async (c) => {
      const { store, current } = await findOwn(manager, c, "end the sessions of a subject");
      return await store.deleteBySubject(current, { except: current.id });
    },
    endAll: async (at, subject) =>
      await manager.requireStore(at, "end the sessions of a subject")
        .deleteBySubject({ provider, subject }),
  };
}

async function findOwn(
  manager: SessionManager,
  c: Ctx,
  act: string,
): Promise<{ readonly store: SessionStore; readonly current: StoredSession }> {
  const store = manager.requireStore(c, act);
  const current = await manager.find(c);
  if (current !== undefined) return { store, current };
  throw httpError(401, "Sign in first.", { code: "sign_in_required" });
}
