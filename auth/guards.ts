import { type Ctx, type FwError, httpError, type Next, redirect } from "../mod.ts";
import {
  type Awaitable,
  prefixedCookieName,
  setGate,
  type StoredSession,
  wantsHtml,
} from "../runtime/addon.ts";
import { appPath, loginTarget } from "./next_path.ts";
import type { SessionSettings } from "./session_options.ts";
import { type User, userOf } from "./session_record.ts";

/**
 * Lets signed-in users pass. As a middleware it guards its folder; inside a handler
 * `await guard(c)` returns the user.
 *
 * Others get what fits them. A browser is sent to the sign-in page with 302 (a fragment request with
 * 204 and `FW-Location`), any other client gets 401 with `WWW-Authenticate`, and a user who lacks the
 * role gets 403 without a redirect, which would lead in a circle.
 *
 * @throws {Redirect} to the sign-in page, for a browser that is not signed in.
 * @throws {HttpError} 401 `sign_in_required`, 403 `role_missing`.
 */
export interface Guard {
  /** Guards a folder: `export const Middleware = sessions.require`. */
  (c: Ctx, next: Next): Promise<Response>;
  /** Guards the rest of a handler. */
  (c: Ctx): Promise<User>;
}

/** The guards of a sign-in. */
export interface Guards {
  /** Lets every signed-in user pass. */
  readonly require: Guard;
  /** Lets users with the role `adminRole` pass. */
  readonly requireAdmin: Guard;
  /**
   * Lets users with one of the roles pass.
   *
   * @throws {TypeError} for no role, which would refuse every user.
   */
  requireRole(...roles: string[]): Guard;
  /**
   * Makes a guard that lets users pass who signed in a short time ago. It belongs in front of every change of
   * credentials (password, passkeys, address): a stolen session must not outlive its discovery. Others are sent
   * to the sign-in page with `again=1`, where it shows its form to a signed-in user as well, and come back;
   * programs get 401 `recent_sign_in_required`.
   *
   * @throws {RangeError} for less than a minute: a slow reader could never pass.
   */
  requireRecent(maxAgeMs: number): Guard;
}

export interface GuardSource {
  /** Returns the session of a request; the response is not marked yet. */
  look(c: Ctx): Awaitable<StoredSession | undefined>;
  /** Marks the response as one behind a guard, or as one that the cookie decides. */
  mark(c: Ctx, session: StoredSession | undefined): void;
  readonly settings: Pick<SessionSettings, "loginPath" | "adminRole" | "cookie" | "now">;
}

/** Decides on a signed-in user; `undefined` lets the user pass. */
type Rule = (c: Ctx, session: StoredSession) => FwError | undefined;

const shortestMs = 60_000;

export function createGuards(source: GuardSource): Guards {
  const { settings } = source;
  const guardBy = (name: string, rule: Rule): Guard =>
    createGuard(name, {
      look: source.look,
      check: (c, session) => {
        source.mark(c, session);
        return session === undefined ? refuseAnonymous(c, source) : rule(c, session);
      },
      userOf,
    });
  const requireRole = (...roles: string[]): Guard => {
    if (roles.length === 0) {
      throw new TypeError('Cannot require no role: name one, as in requireRole("editor").');
    }
    // The session has the roles of the sign-in.
    const hasRole: Rule = (c, session) =>
      roles.some((role) => session.roles.includes(role)) ? undefined : refuseRole(c);
    return guardBy(`requireRole(${roles.join(", ")})`, hasRole);
  };
  return {
    require: guardBy("require", () => undefined),
    requireAdmin: requireRole(settings.adminRole),
    requireRole,
    requireRecent: (maxAgeMs) => {
      if (!(maxAgeMs >= shortestMs)) {
        throw new RangeError(
          `Cannot require a sign-in of the last "${maxAgeMs}" ms: use 60000 (a minute) or more.`,
        );
      }
      const isRecent: Rule = (c, session) =>
        settings.now() - session.issuedAtMs <= maxAgeMs ? undefined : refuseOld(c, source);
      return guardBy(`requireRecent(${maxAgeMs})`, isRecent);
    },
  };
}

/** What a guard asks: for the record of a request, whether it passes, and what a handler gets. */
interface GuardPlan<U> {
  look(c: Ctx): Awaitable<StoredSession | undefined>;
  /** Returns the error of a request that must not pass: of each without a record. */
  check(c: Ctx, record: StoredSession | undefined): FwError | undefined;
  userOf(record: StoredSession): U;
}

/** Makes a guard: a middleware, and inside a handler a call that returns the user. */
export function createGuard<U>(name: string, { look, check, userOf }: GuardPlan<U>): {
  (c: Ctx, next: Next): Promise<Response>;
  (c: Ctx): Promise<U>;
} {
  async function guard(c: Ctx, next: Next): Promise<Response>;
  async function guard(c: Ctx): Promise<U>;
  async function guard(c: Ctx, next?: Next): Promise<Response | U> {
    const record = await look(c);
    const refusal = check(c, record);
    if (refusal !== undefined || record === undefined) throw refusal;
    return next === undefined ? userOf(record) : await next();
  }
  Object.defineProperty(guard, "name", { value: name });
  // In a chain, without a promise where the record is at hand: an `await` costs (`bench/http`).
  return setGate(guard, (c) => {
    const found = look(c);
    return found instanceof Promise ? found.then((record) => check(c, record)) : check(c, found);
  });
}

function refuseAnonymous(c: Ctx, source: GuardSource): FwError {
  if (wantsHtml(c)) return toSignIn(c, source);
  c.app.security.report(c, "auth", { reason: "sign-in-required" });
  return unauthorized(c, source, { code: "sign_in_required", message: "Sign in first." });
}

function refuseOld(c: Ctx, source: GuardSource): FwError {
  c.app.security.report(c, "auth", { reason: "recent-sign-in-required" });
  if (wantsHtml(c)) return toSignIn(c, source, { isAgain: true });
  const message = "Sign in again: this needs a recent sign-in.";
  return unauthorized(c, source, { code: "recent_sign_in_required", message });
}

function toSignIn(
  c: Ctx,
  { settings: { loginPath } }: GuardSource,
  { isAgain } = { isAgain: false },
): FwError {
  const loginPage = loginPath.replace(/[?#].*$/, "");
  // The pattern stands for the page in each language, whose path may start with one.
  if (c.url.pathname === c.base + loginPage || c.pattern === loginPage) {
    throw new TypeError(
      `Cannot guard "${loginPath}": it is the sign-in page, so the redirect would loop. Move the ` +
        "guard to a folder that does not hold it.",
    );
  }
  const isRead = c.method === "GET" || c.method === "HEAD";
  const target = loginTarget(c, loginPath);
  const query = isAgain ? `${target.includes("?") ? "&" : "?"}again=1` : "";
  return redirect(target + query, isRead ? 302 : 303);
}

function unauthorized(
  c: Ctx,
  { settings: { loginPath, cookie } }: GuardSource,
  { code, message }: { readonly code: string; readonly message: string },
): FwError {
  return httpError(401, message, {
    code,
    headers: {
      // RFC 9110, section 11.6.1, wants a challenge. Browsers ignore a scheme they do not know.
      "www-authenticate": `Cookie form-action="${appPath(c, loginPath)}", ` +
        `cookie-name="${prefixedCookieName(c, cookie)}"`,
    },
  });
}

function refuseRole(c: Ctx): FwError {
  c.app.security.report(c, "auth", { reason: "role-missing" });
  return httpError(403, "This is for other roles than yours.", { code: "role_missing" });
}
