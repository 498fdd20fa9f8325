import { type Ctx, type HttpError, httpError, type Next, type Redirect, redirect } from "../mod.ts";
import { type Awaitable, prefixedCookieName, wantsHtml } from "../runtime/addon.ts";
import { loginTarget } from "./next_path.ts";
import type { User } from "./user.ts";

/**
 * Lets signed-in users pass. As a middleware it guards its folder; inside a handler
 * `await guard(c)` returns the user.
 *
 * Others get what fits them. A browser is sent to the sign-in page with 302 (a fragment request with
 * 204 and `FW-Location`), any other client gets 401 with `WWW-Authenticate`, and a user who lacks the
 * role gets 403 without a redirect, which would lead in a circle.
 */
export interface Guard {
  /**
   * Guards a folder: `export const Middleware = sessions.require`.
   *
   * @throws {Redirect} to the sign-in page, for a browser that is not signed in.
   * @throws {HttpError} 401 `sign_in_required`, 403 `role_missing`.
   */
  (c: Ctx, next: Next): Promise<Response>;
  /**
   * Guards the rest of a handler.
   *
   * @returns The user.
   * @throws {Redirect} to the sign-in page, for a browser that is not signed in.
   * @throws {HttpError} 401 `sign_in_required`, 403 `role_missing`.
   */
  (c: Ctx): Promise<User>;
}

/** The guards of a sign-in. */
export interface Guards {
  /** Lets every signed-in user pass. */
  readonly require: Guard;
  /** Lets users with the role `adminRole` pass. */
  readonly requireAdmin: Guard;
  /**
   * Makes a guard that lets users with one of the roles pass.
   *
   * @throws {TypeError} for no role: such a guard would let nobody pass.
   */
  requireRole(...roles: string[]): Guard;
}

/** What guards ask. */
export interface GuardSource {
  /** Returns the user of a request. */
  find(c: Ctx): Awaitable<User | undefined>;
  /** Where browsers sign in, without the base path. */
  readonly loginPath: string;
  /** The role of administrators. */
  readonly adminRole: string;
  /** The name of the session cookie, without a prefix. */
  readonly cookie: string;
}

/** Makes the guards of a sign-in. */
export function createGuards(source: GuardSource): Guards {
  const requireRole = (...roles: string[]): Guard => {
    if (roles.length > 0) return guardOf(source, roles);
    throw new TypeError('Cannot require no role: name one, as in requireRole("editor").');
  };
  return {
    require: guardOf(source, undefined),
    requireAdmin: requireRole(source.adminRole),
    requireRole,
  };
}

function guardOf(source: GuardSource, roles: readonly string[] | undefined): Guard {
  function guard(c: Ctx, next: Next): Promise<Response>;
  function guard(c: Ctx): Promise<User>;
  function guard(c: Ctx, next?: Next): Promise<Response | User> {
    const admit = (user: User | undefined): Promise<Response | User> => {
      if (user === undefined) return Promise.reject(refuseAnonymous(c, source));
      // A role is asked of the session as it is: a role that was lost counts from the next sign-in on.
      if (roles !== undefined && !roles.some((role) => user.roles.includes(role))) {
        return Promise.reject(refuseRole(c));
      }
      return next === undefined ? Promise.resolve(user) : next();
    };
    try {
      // Without a promise where the session is at hand: an `await` costs (`bench/http`).
      const user = source.find(c);
      return user instanceof Promise ? user.then(admit) : admit(user);
    } catch (error) {
      return Promise.reject(error);
    }
  }
  return guard;
}

function refuseAnonymous(c: Ctx, source: GuardSource): HttpError | Redirect | TypeError {
  const { loginPath } = source;
  if (wantsHtml(c)) {
    if (isAt(c, loginPath)) {
      return new TypeError(
        `Cannot guard "${loginPath}": it is the sign-in page, so that nobody could ever sign in. ` +
          "Move the guard to a folder that does not hold it.",
      );
    }
    const isRead = c.method === "GET" || c.method === "HEAD";
    return redirect(loginTarget(c, loginPath), isRead ? 302 : 303);
  }
  c.app.security.report(c, "auth", { reason: "sign-in-required" });
  return httpError(401, "Sign in first.", {
    code: "sign_in_required",
    headers: {
      // RFC 9110, section 11.6.1, wants a challenge. Browsers ask nobody for a scheme they do not know.
      "www-authenticate": `Cookie form-action="${c.base}${loginPath}", cookie-name="${
        prefixedCookieName(c, source.cookie)
      }"`,
    },
  });
}

function isAt(c: Ctx, loginPath: string): boolean {
  return c.url.pathname === c.base + loginPath.replace(/[?#].*$/, "");
}

function refuseRole(c: Ctx): HttpError {
  c.app.security.report(c, "auth", { reason: "role-missing" });
  return httpError(403, "This is for other roles than yours.", { code: "role_missing" });
}
