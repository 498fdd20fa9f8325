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
 * The refusal depends on the client. A browser is redirected to the sign-in page with 302 (a fragment
 * request with 204 and `FW-Location`); any other client gets 401 with `WWW-Authenticate`. A user who
 * lacks the role gets 403, because a redirect would loop.
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

/** The guards that require a signed-in user. */
export interface Guards {
  /** Lets every signed-in user pass. */
  readonly require: Guard;
  /** Lets users with the role `adminRole` pass. */
  readonly requireAdmin: Guard;
  /**
   * Lets users with one of the roles pass.
   *
   * @throws {TypeError} without a role, because such a guard would refuse every user.
   */
  requireRole(...roles: string[]): Guard;
  /**
   * Creates a guard that requires a sign-in within the last `maxAgeMs` milliseconds. Use it for every change of
   * credentials (password, passkeys, address), so that a stolen session cannot take over the account. Other
   * users are sent to the sign-in page with `again=1`, which shows its form although they are signed in, and
   * returned afterwards; programs get 401 `recent_sign_in_required`. A provider's users authenticate there
   * again, if it supports that.
   *
   * @throws {RangeError} for less than a minute, because a slow user could never pass.
   */
  requireRecent(maxAgeMs: number): Guard;
}

export interface GuardSource {
  /** Returns the session of a request without marking the response. */
  look(c: Ctx): Awaitable<StoredSession | undefined>;
  /** Marks the response as guarded or, without a session, as varying by the cookie. */
  mark(c: Ctx, session: StoredSession | undefined): void;
  readonly settings: Pick<SessionSettings, "loginPath" | "adminRole" | "cookie" | "now">;
}

type Rule = (c: Ctx, session: StoredSession) => FwError | undefined;

const shortestMs = 60_000;

export function createGuards({ settings, look, mark }: GuardSource): Guards {
  const guardBy = (name: string, rule: Rule): Guard =>
    createGuard(name, {
      look,
      check: (c, session) => {
        mark(c, session);
        return session === undefined ? refuse(c, settings, "sign-in-required") : rule(c, session);
      },
      userOf,
    });
  const requireRole = (...roles: string[]): Guard => {
    if (roles.length === 0 || roles.some((role) => role.trim() === "")) {
      throw new TypeError('Cannot require a role: name one, such as requireRole("editor").');
    }
    // The session stores the roles, so a change takes effect at the next sign-in.
    const hasRole: Rule = (c, session) => {
      if (roles.some((role) => session.roles.includes(role))) return undefined;
      c.app.security.report(c, "auth", { reason: "role-missing" });
      return httpError(403, "Your role does not allow this.", { code: "role_missing" });
    };
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
        settings.now() - session.issuedAtMs <= maxAgeMs
          ? undefined
          : refuse(c, settings, "recent-sign-in-required");
      return guardBy(`requireRecent(${maxAgeMs})`, isRecent);
    },
  };
}

/** Creates a guard, which works as middleware or, called in a handler, returns the user. */
export function createGuard<U>(name: string, { look, check, userOf }: {
  look(c: Ctx): Awaitable<StoredSession | undefined>;
  /** Returns the error for a request that must not pass; none passes without a record. */
  check(c: Ctx, record: StoredSession | undefined): FwError | undefined;
  userOf(record: StoredSession): U;
}): {
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
  // In a chain, avoid a promise if the record is available: an `await` costs (`bench/http`).
  return setGate(guard, (c) => {
    const found = look(c);
    return found instanceof Promise ? found.then((record) => check(c, record)) : check(c, found);
  });
}

type Refusal = "sign-in-required" | "recent-sign-in-required";

function refuse(c: Ctx, settings: GuardSource["settings"], reason: Refusal): FwError {
  const isAgain = reason === "recent-sign-in-required";
  const isBrowser = wantsHtml(c);
  // An anonymous browser is not a security event.
  if (isAgain || !isBrowser) c.app.security.report(c, "auth", { reason });
  if (!isBrowser) return signInError(c, settings, reason);
  const { loginPath } = settings;
  const loginPage = loginPath.replace(/[?#].*/s, "");
  // Compare the pattern too, because the page's path may start with a language.
  if (c.url.pathname === c.base + loginPage || c.pattern === loginPage) {
    throw new TypeError(
      `Cannot guard "${loginPath}": it is the sign-in page, so the redirect would loop. Move the ` +
        "guard to a folder that does not contain it.",
    );
  }
  const target = loginTarget(c, loginPath);
  const query = isAgain ? `${target.includes("?") ? "&" : "?"}again=1` : "";
  return redirect(target + query, c.method === "GET" || c.method === "HEAD" ? 302 : 303);
}

export function signInError(
  c: Ctx,
  { loginPath, cookie }: Pick<SessionSettings, "loginPath" | "cookie">,
  reason: Refusal,
): FwError {
  const isAgain = reason === "recent-sign-in-required";
  const message = isAgain ? "Sign in again: this needs a recent sign-in." : "Sign in first.";
  return httpError(401, message, {
    code: reason.replaceAll("-", "_"),
    headers: {
      // RFC 9110, section 11.6.1, requires a challenge. Browsers ignore an unknown scheme.
      "www-authenticate": `Cookie form-action="${appPath(c, loginPath)}", ` +
        `cookie-name="${prefixedCookieName(c, cookie)}"`,
    },
  });
}
