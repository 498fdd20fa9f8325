import { fingerprintToken } from "../base/crypto.ts";
import { key } from "../base/keys.ts";
import { languageCookie } from "../i18n/languages.ts";
import { findCookie } from "./cookies.ts";
import type { Exchange } from "./exchange.ts";

const Read = key<Map<string, string | undefined>>("fw.read-cookies");

/** What a cookie says: its value, or what the value stands for. */
export interface CookieFact {
  /** The cookie's name. */
  readonly name: string;
  /** A value that stays while the cookie means the same; `undefined` for a cookie that counts for nothing. */
  readonly value: string | undefined;
}

/** Implements `c.cookie`. */
export function taggedCookie(c: Exchange, name: string): string | undefined {
  const value = findCookie(c.cookieHeader, name);
  // The tag carries the language itself.
  if (name !== languageCookie && c.get(Read)?.has(name) !== true) noteCookie(c, { name, value });
  return value;
}

/** Notes that the response depends on a cookie, so that its validators hold for that value alone. */
export function noteCookie(c: Exchange, { name, value }: CookieFact): void {
  const read = c.get(Read) ?? new Map<string, string | undefined>();
  read.set(name, value);
  c.set(Read, read);
}

/** Checks whether the response depends on a cookie so far. */
export function hasReadCookies(c: Exchange): boolean {
  return c.get(Read) !== undefined;
}

/**
 * Binds a tag to the cookies that were read so far, absent ones included. Chromium asks with the tag of a stored
 * response even where `Vary: Cookie` rules it out, and after a 304 it shows that response: the page of the user
 * who was signed in before.
 */
export function bindCookies(c: Exchange, etag: string): string {
  const read = c.get(Read);
  return read === undefined ? etag : extendTag(etag, JSON.stringify([...read].sort()));
}

/** Adds the fingerprint of a secret to a tag. */
export function extendTag(etag: string, secret: string): string {
  return `${etag.slice(0, -1)};${fingerprintToken(secret)}"`;
}
