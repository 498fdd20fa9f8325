import type { Ctx } from "../base/ctx/ctx.ts";
import { fingerprintToken, unmaskToken } from "../base/crypto.ts";
import { renewToken } from "../guard/csrf_token.ts";
import { requestCtx } from "../request/request_ctx.ts";
import { isRepeated, prefixedName } from "../request/cookies.ts";
import { signerOf } from "../request/signed.ts";

/**
 * Returns the name of a cookie with the strictest prefix that the request allows (RFC 6265bis, section
 * 4.1.3): `__Host-` over HTTPS, `__Secure-` over HTTPS below a base path, none over HTTP. Below a base path
 * such as `/shop` it ends in `.shop`, so that it cannot clash with a cookie of an application above it.
 *
 * @param name The name without a prefix.
 * @returns The name under which the cookie is written and read.
 */
export function prefixedCookieName(c: Ctx, name: string): string {
  return prefixedName(name, {
    path: c.base === "" ? "/" : c.base,
    isSecure: requestCtx(c).isSecure,
  });
}

/**
 * Returns whether a request has two cookies of one name: another host may have planted one, and the server
 * cannot tell them apart.
 *
 * @param name The name, with its prefix.
 */
export function isCookieRepeated(c: Ctx, name: string): boolean {
  return isRepeated(requestCtx(c).cookieHeader, name);
}

/**
 * Verifies a string that `c.setSigned` signed for a name. Unlike `c.signed`, it does not mark the response as
 * dependent on the cookie.
 *
 * @param signed The text, and the name that it was signed for.
 * @returns The value, or `undefined` for a string that is forged, expired or garbage.
 */
export function verifySigned(
  c: Ctx,
  signed: { readonly name: string; readonly text: string },
): string | undefined {
  return signerOf(c.app).verify(signed.name, signed.text);
}

/**
 * Replaces the CSRF token of the browser, as at sign-in: forms rendered earlier are then accepted only with
 * the application's own `Origin`.
 *
 * @returns The new token.
 * @throws {TypeError} once the head has been sent.
 */
export function renewCsrfToken(c: Ctx): string {
  return renewToken(requestCtx(c));
}

/**
 * Returns a string that identifies the browser until the next sign-in, for values that only this browser may
 * send back. It is derived from the CSRF token, whose cookie is set if it is missing.
 *
 * @throws {TypeError} if the browser has no CSRF cookie and the head has been sent.
 */
export function browserId(c: Ctx): string {
  return fingerprintToken(unmaskToken(c.csrfToken()));
}
