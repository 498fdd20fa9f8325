import { csrfNames } from "../base/config/config.ts";
import { fingerprintToken, isWellFormed } from "../base/crypto.ts";
import { key } from "../base/keys.ts";
import { addVaryCookie, markPersonal } from "./cache_privacy.ts";
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
  return token === undefined ? undefined : bindTag(etag, token);
}

/** Adds to a 304 what its page carries for the token that it holds. */
export function markTokenTag(c: Exchange): void {
  markPersonal(c);
  addVaryCookie(c);
}

/**
 * Binds the declared validators of a page to the CSRF token that it holds. The browser keeps the page longer than the
 * token, and a 304 would bring a form back that is refused. The token is known only once the page is rendered, and
 * a date has no room for it.
 */
export function bindValidators(c: Exchange, response: Response): void {
  const { headers, status } = response;
  if (status === 304 || c.get(Declared) === undefined) return;
  const token = c.get(Shown) ?? (mayHoldLater(c, headers) ? heldToken(c) : undefined);
  if (token === undefined) return;
  headers.delete("last-modified");
  const etag = headers.get("etag");
  if (etag !== null) headers.set("etag", bindTag(etag, token));
}

/** Reports whether a part that follows the head may hold the token of the cookie. */
function mayHoldLater(c: Exchange, headers: Headers): boolean {
  return c.own?.carries === "stream" &&
    !/\bpublic\b/i.test(headers.get("cache-control") ?? "");
}

function heldToken(c: Exchange): string | undefined {
  const token = c.cookie(csrfNames(c.app.config).cookie);
  return token !== undefined && isWellFormed(token) ? token : undefined;
}

function bindTag(etag: string, token: string): string {
  return `${etag.slice(0, -1)};${fingerprintToken(token)}"`;
}
