import { fingerprintToken, isWellFormed } from "../base/crypto.ts";
import { type Key, key } from "../base/keys.ts";
import { languageCookie } from "../i18n/languages.ts";
import { mark, markCookieRead } from "./stage.ts";
import { decodeHeader, withoutQuoted } from "../base/headers.ts";
import { findCookie } from "./cookies.ts";
import type { RequestCtx } from "./request_ctx.ts";

const Read = key<Map<string, string | undefined>>("fw.read-cookies");
export const Shown: Key<string> = key<string>("fw.shown-token");

export function taggedCookie(c: RequestCtx, name: string): string | undefined {
  const found = findCookie(c.cookieHeader, name);
  const value = found === undefined ? undefined : decodeHeader(found);
  // The tag carries the language itself.
  if (`${name}.`.startsWith(`${languageCookie}.`)) return value;
  if (c.get(Read)?.has(name) !== true) noteCookie(c, name, value);
  return value;
}

/** Records the meaning of a cookie that was read; `undefined` for an absent or invalid cookie. */
export function noteCookie(c: RequestCtx, name: string, value: string | undefined): void {
  const read = c.get(Read) ?? new Map<string, string | undefined>();
  read.set(name, value);
  c.set(Read, read);
}

export function hasReadCookies(c: RequestCtx): boolean {
  return c.get(Read) !== undefined;
}

/** Returns the language of the response if its URL serves several: for a page, else once it is read. */
export function spokenLanguage(c: RequestCtx): string | undefined {
  if (c.app.config.languages.length < 2) return undefined;
  if (c.route?.isPage === true) void c.language;
  return c.spoken?.vary === undefined ? undefined : c.spoken.language;
}

/**
 * Binds a tag to a language and to the cookies that were read so far, absent ones included. Chromium revalidates
 * with the tag of a stored response even if `Vary` rules it out, and after a 304 it shows that response: the page
 * in the previous language, or of the previous user.
 */
export function bindTag(c: RequestCtx, etag: string, language = spokenLanguage(c)): string {
  const read = c.get(Read);
  const spoken = language ? `${etag.slice(0, -1)};${language}"` : etag;
  return read === undefined ? spoken : extendTag(spoken, JSON.stringify([...read].sort()));
}

/** Binds a tag to the CSRF token of the browser; `undefined` without a token. */
export function tokenTag(c: RequestCtx, etag: string): string | undefined {
  const token = heldToken(c);
  return token === undefined ? undefined : extendTag(etag, token);
}

/** Adds to a 304 the headers that a page with a token carries. */
export function markTokenTag(c: RequestCtx): void {
  mark(c, "private");
  markCookieRead(c);
}

/**
 * Binds the declared validators to the language and the cookies that were read, and to the CSRF token of a page.
 * The browser keeps the page longer than the token, and after a 304 its form would be refused. These are known
 * only once the response is built, and a date cannot include them.
 *
 * A tag declared before a cookie was read therefore differs from the sent one, and the next request gets the
 * whole response.
 */
export function bindValidators(c: RequestCtx, { headers, status }: Response): void {
  if (status === 304) return;
  // A part sent after the head may contain the token of the cookie.
  const mayHoldLater = c.answer.kind === "stream" &&
    !/\bpublic\b/i.test(withoutQuoted(headers.get("cache-control") ?? ""));
  const token = c.get(Shown) ?? (mayHoldLater ? heldToken(c) : undefined);
  const language = spokenLanguage(c);
  if (token === undefined && language === undefined && !hasReadCookies(c)) return;
  headers.delete("last-modified");
  const etag = headers.get("etag");
  if (etag === null) return;
  const bound = bindTag(c, etag, language);
  headers.set("etag", token === undefined ? bound : extendTag(bound, token));
}

function extendTag(etag: string, secret: string): string {
  return `${etag.slice(0, -1)};${fingerprintToken(secret)}"`;
}

export function heldToken(c: RequestCtx): string | undefined {
  const token = findCookie(c.cookieHeader, c.cookieNames.csrf);
  return token !== undefined && isWellFormed(token) ? token : undefined;
}
