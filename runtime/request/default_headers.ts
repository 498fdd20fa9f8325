import { extendVary, type HeaderPair } from "../base/headers.ts";
import type { RequestCtx } from "./request_ctx.ts";

/**
 * The default headers, built at boot. Only those that browsers honour for the type: each costs a twentieth of
 * a request (`bench/http`).
 */
export interface DefaultHeaders {
  readonly empty: readonly HeaderPair[];
  readonly redirect: readonly HeaderPair[];
  readonly data: readonly HeaderPair[];
  /** For a document other than HTML: SVG, XML, PDF, and responses without a type. */
  readonly document: readonly HeaderPair[];
  /** For HTML without a nonce: a static file. */
  readonly file: readonly HeaderPair[];
  readonly page: readonly HeaderPair[];
  /** Writes the policy of HTML (CSP level 3); `undefined` without one. */
  readonly csp: ((nonce: string, formActions?: readonly string[]) => string) | undefined;
}

export interface SchemeHeaders {
  readonly http: DefaultHeaders;
  /** Over HTTPS: with `Strict-Transport-Security`. */
  readonly https: DefaultHeaders;
}

export interface DefaultHeaderSets extends SchemeHeaders {
  readonly guarded: SchemeHeaders;
}

/** The `Cache-Control` behind a guard, unless the application sets its own. */
export const guardedControl = "no-store";

/** The `Cache-Control` of a response with a token or a nonce, unless the application sets its own. */
export const privateControl = "private";

/** Returns the default headers behind a guard: with a `Cache-Control`. */
export function guardHeaders({ http, https }: SchemeHeaders): SchemeHeaders {
  const guarded = guardList(http);
  return { http: guarded, https: http === https ? guarded : guardList(https) };
}

function guardList(defaults: DefaultHeaders): DefaultHeaders {
  const control: HeaderPair = ["cache-control", guardedControl];
  return {
    ...defaults,
    empty: [...defaults.empty, control],
    redirect: [...defaults.redirect, control],
    data: [...defaults.data, control],
    document: [...defaults.document, control],
    page: [...defaults.page.filter(([name]) => name !== "cache-control"), control],
  };
}

/** Adds the headers of a CORS policy to a response, unless it has an `Access-Control-Allow-Origin`. */
export function appendCors(headers: Headers, pairs: readonly HeaderPair[]): void {
  const isOwn = headers.has("access-control-allow-origin");
  for (const [name, value] of pairs) {
    if (name === "vary") extendVary(headers, value);
    else if (!isOwn) headers.append(name, value);
  }
}

export function missingDefaults(response: Response, hasBody: boolean, c: RequestCtx): HeaderPair[] {
  const { status, headers } = response;
  // A cached copy keeps the headers it was stored with, in particular its nonce.
  if (status === 304 || status === 101) return [];
  return listFor(response, hasBody, c).filter(([name]) => !headers.has(name));
}

function listFor(
  { status, headers }: Response,
  hasBody: boolean,
  c: RequestCtx,
): readonly HeaderPair[] {
  const { defaults } = c;
  if (status >= 300 && status < 400) return defaults.redirect;
  if (!hasBody && !headers.has("content-length")) return defaults.empty;
  const type = headers.get("content-type") ?? "";
  if (!isHtml(type)) return fileDefaults(type, defaults);
  const name = "content-security-policy";
  if (defaults.csp === undefined || headers.has(name)) return defaults.page;
  return [...defaults.page, [name, defaults.csp(c.policyNonce, c.answer.formActions)]];
}

/** Returns the default headers of a static file by its type; a static file has no nonce. */
export function fileDefaults(type: string, defaults: DefaultHeaders): readonly HeaderPair[] {
  if (isHtml(type)) return defaults.file;
  return isDocument(type) ? defaults.document : defaults.data;
}

function isHtml(type: string): boolean {
  return /^\s*text\/html\b/i.test(type);
}

/** Checks whether a browser would show the type as a document that can run scripts. */
function isDocument(type: string): boolean {
  return type === "" || /^[^;]*xml\b/i.test(type) ||
    /^\s*(?:application\/pdf|multipart\/)/i.test(type);
}
