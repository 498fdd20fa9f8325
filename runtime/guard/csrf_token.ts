import { csrfNames } from "../base/config/config.ts";
import { isWellFormed, maskToken, randomToken } from "../base/crypto.ts";
import { key } from "../base/keys.ts";
import { mark, varyByCookie } from "../request/stage.ts";
import { findCookie } from "../request/cookies.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { noteToken } from "../request/validators.ts";

const Token = key<string>("fw.csrf");
const tokens: WeakMap<Request, string> = new WeakMap();

/** Returns what `c.csrfToken()` returned for a request, if it was called. */
export function shownToken(request: Request): string | undefined {
  return tokens.get(request);
}

/** Implements `c.csrfToken`. */
export function csrfToken(c: RequestCtx): string {
  const known = c.get(Token);
  if (known !== undefined) return known;
  // An exported file is sent to every client: a token in it would protect no one and change the file each
  // time.
  if (c.isExport) return "";
  const { cookie: name } = csrfNames(c.app.config);
  const kept = findCookie(c.cookieHeader, name);
  return kept !== undefined && isWellFormed(kept) ? keepToken(c, kept) : setToken(c, randomToken());
}

/**
 * Replaces the CSRF token of the browser, at sign-in, so that a token planted or read before it is no longer
 * valid.
 *
 * @returns The new token.
 */
export function renewToken(c: RequestCtx): string {
  return setToken(c, randomToken());
}

function setToken(c: RequestCtx, token: string): string {
  const { cookie: name } = csrfNames(c.app.config);
  c.setCookie({ name, value: token, ...(/^__host-/i.test(name) ? { path: "/" } : {}) });
  return keepToken(c, token);
}

function keepToken(c: RequestCtx, token: string): string {
  // A page with a token is user-specific: a shared cache must not store it.
  mark(c, "private");
  varyByCookie(c);
  noteToken(c, token);
  // The cookie is never compressed with text of the request; the page is (`maskToken`).
  const masked = maskToken(token);
  c.set(Token, masked);
  tokens.set(c.request, masked);
  return masked;
}
