import { maskToken, randomToken } from "../base/crypto.ts";
import { key } from "../base/keys.ts";
import { mark, markCookieRead } from "../request/stage.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { heldToken, Shown } from "../request/validators.ts";

const Token = key<string>("fw.csrf");
const tokens: WeakMap<Request, string> = new WeakMap();

export function shownToken(request: Request): string | undefined {
  return tokens.get(request);
}

export function csrfToken(c: RequestCtx): string {
  const known = c.get(Token);
  if (known !== undefined) return known;
  // An exported file is sent to every client: a token in it would protect no one and change the file each
  // time.
  if (c.isExport) return "";
  return showToken(c, heldToken(c) ?? setToken(c, c.cookieNames.csrf));
}

/**
 * Replaces the CSRF token of the browser, at sign-in, so that a token planted or read before it is no longer
 * valid. The former one stays in a separate cookie: forms of other tabs pass with it if their `Origin` is the
 * application's own, which no other site can send. Only the last one is kept: a form from before two sign-ins
 * may contain the input of another user.
 */
export function renewToken(c: RequestCtx): string {
  const former = heldToken(c);
  if (former !== undefined) setToken(c, formerCookie(c), former);
  return showToken(c, setToken(c, c.cookieNames.csrf));
}

export function formerCookie(c: RequestCtx): string {
  return `${c.cookieNames.csrf}_former`;
}

function setToken(c: RequestCtx, name: string, value: string = randomToken()): string {
  c.setCookie({ name, value, ...(/^__host-/i.test(name) ? { path: "/" } : {}) });
  return value;
}

function showToken(c: RequestCtx, token: string): string {
  // A page with a token is user-specific: a shared cache must not store it.
  mark(c, "private");
  markCookieRead(c);
  c.set(Shown, token);
  // The cookie is never compressed with text of the request; the page is (`maskToken`).
  const masked = maskToken(token);
  c.set(Token, masked);
  tokens.set(c.request, masked);
  return masked;
}
