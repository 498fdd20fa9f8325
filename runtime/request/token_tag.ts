import { csrfNames } from "../base/config/config.ts";
import { isWellFormed } from "../base/crypto.ts";
import { key } from "../base/keys.ts";
import { addVaryCookie, markPersonal } from "./cache_privacy.ts";
import { bindCookies, extendTag, hasReadCookies } from "./cookie_tag.ts";
import { findCookie } from "./cookies.ts";
import type { Exchange } from "./exchange.ts";

const Shown = key<string>("fw.shown-token");
const Declared = key<"declared">("fw.declared-validator");

/** Notes the CSRF token that the response holds. */
export function noteToken(c: Exchange, token: string): void {
  c.set(Shown, token);
}

/** Notes that `c.etag` or `c.lastModified` has staged a validator. */
export function noteValidator(c: Exchange): void {
  c.set(Declared, "declared");
}

/**
 * Returns the tag that a page with a CSRF token has for this browser; `undefined` for a browser without a
 * token.
 */
export function tokenTag(c: Exchange, etag: string): string | undefined {
  const token = heldToken(c);
  return token === undefined ? undefined : extendTag(etag, token);
}

/** Adds to a 304 what its page carries for the token that it holds. */
export function markTokenTag(c: Exchange): void {
  markPersonal(c);
  addVaryCookie(c);
}

/**
 * Binds the declared validators of a page to the cookies that it read and to the CSRF token that it holds. The browser
 * keeps the page longer than the token, and a 304 would bring a form back that is refused. What a page reads is known
 * only once it is rendered, and a date has no room for it.
 *
 * A tag that was declared before a cookie was read therefore differs from the one that is sent, and the next request
 * gets the whole response.
 */
export function bindValidators(c: Exchange, response: Response): void {
  const { headers, status } = response;
  if (status === 304 || c.get(Declared) === undefined) return;
  const token = c.get(Shown) ?? (mayHoldLater(c, headers) ? heldToken(c) : undefined);
  if (token === undefined && !hasReadCookies(c)) return;
  headers.delete("last-modified");
  const etag = headers.get("etag");
  if (etag === null) return;
  const bound = bindCookies(c, etag);
  headers.set("etag", token === undefined ? bound : extendTag(bound, token));
}

/** Reports whether a part that follows the head may hold the token of the cookie. */
function mayHoldLater(c: Exchange, headers: Headers): boolean {
  return c.own?.carries === "stream" &&
    !/\bpublic\b/i.test(headers.get("cache-control") ?? "");
}

function heldToken(c: Exchange): string | undefined {
  const token = findCookie(c.cookieHeader, csrfNames(c.app.config).cookie);
  return token !== undefined && isWellFormed(token) ? token : undefined;
}
