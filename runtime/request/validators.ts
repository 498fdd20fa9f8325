import { fingerprintToken, isWellFormed } from "../base/crypto.ts";
import { type Key, key } from "../base/keys.ts";
import { languageCookie } from "../i18n/languages.ts";
import { mark, markCookieRead } from "./stage.ts";
import { decodeHeader, withoutQuoted } from "../base/headers.ts";
import { findCookie } from "./cookies.ts";
import type { RequestCtx } from "./request_ctx.ts";

const Read = key<Map<string, string | undefined>>("fw.read-cookies");
/** The CSRF token that the response holds. */
export const Shown: Key<string> = key<string>("fw.shown-token");

export function taggedCookie(c: RequestCtx, name: string): string | undefined {
  const found = findCookie(c.cookieHeader, name);
  const value = found === undefined ? undefined : decodeHeader(found);
  // The tag carries the language itself.
  if (`${name}.`.startsWith(`${languageCookie}.`)) return value;
  if (c.get(Read)?.has(name) !== true) noteCookie(c, name, value);
  return value;
}

/** A value stays while the cookie means the same; `undefined` for a cookie that counts for nothing. */
export function noteCookie(c: RequestCtx, name: string, value: string | undefined): void {
  const read = c.get(Read) ?? new Map<string, string | undefined>();
  read.set(name, value);
  c.set(Read, read);
}

export function hasReadCookies(c: RequestCtx): boolean {
  return c.get(Read) !== undefined;
}

/**
 * Binds a tag to the cookies that were read so far, absent ones included. Chromium asks with the tag of a stored
 * response even where `Vary: Cookie` rules it out, and after a 304 it shows that response: the page of the user
 * who was signed in before.
 */
export function bindCookies(c: RequestCtx, etag: string): string {
  const read = c.get(Read);
  return read === undefined ? etag : extendTag(etag, JSON.stringify([...read].sort()));
}

/** A page with a CSRF token is of one browser; `undefined` without a token. */
export function tokenTag(c: RequestCtx, etag: string): string | undefined {
  const token = heldToken(c);
  return token === undefined ? undefined : extendTag(etag, token);
}

/** Adds to a 304 what its page carries for the token that it holds. */
export function markTokenTag(c: RequestCtx): void {
  mark(c, "private");
  markCookieRead(c);
}

/**
 * Binds the declared validators of a page to the cookies that it read and to the CSRF token that it holds. The
 * browser keeps the page longer than the token, and a 304 would bring a form back that is refused. What a page
 * reads is known only once it is rendered, and a date has no room for it.
 *
 * A tag that was declared before a cookie was read therefore differs from the one that is sent, and the next
 * request gets the whole response.
 */
export function bindValidators(c: RequestCtx, { headers, status }: Response): void {
  if (status === 304) return;
  // A part that follows the head may hold the token of the cookie.
  const mayHoldLater = c.answer.kind === "stream" &&
    !/\bpublic\b/i.test(withoutQuoted(headers.get("cache-control") ?? ""));
  const token = c.get(Shown) ?? (mayHoldLater ? heldToken(c) : undefined);
  if (token === undefined && !hasReadCookies(c)) return;
  headers.delete("last-modified");
  const etag = headers.get("etag");
  if (etag === null) return;
  const bound = bindCookies(c, etag);
  headers.set("etag", token === undefined ? bound : extendTag(bound, token));
}

function extendTag(etag: string, secret: string): string {
  return `${etag.slice(0, -1)};${fingerprintToken(secret)}"`;
}

export function heldToken(c: RequestCtx): string | undefined {
  const token = findCookie(c.cookieHeader, c.cookieNames.csrf);
  return token !== undefined && isWellFormed(token) ? token : undefined;
}
