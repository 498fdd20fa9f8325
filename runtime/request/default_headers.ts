import { variesBy } from "../base/headers.ts";

/** A header's name in lower case and its value. */
export type HeaderPair = readonly [name: string, value: string];

/**
 * The headers that answers carry unless the application sets its own: made once at boot, listed by
 * what browsers honour, since each header costs a small answer a twentieth (`bench/http`).
 */
export interface DefaultHeaders {
  /** Of an answer without a body. */
  readonly empty: readonly HeaderPair[];
  /** Of an answer that sends the browser elsewhere. */
  readonly redirect: readonly HeaderPair[];
  /** Of an answer that is no document, such as JSON. */
  readonly data: readonly HeaderPair[];
  /** Of a document other than HTML: SVG, XML, PDF, and what says no type. */
  readonly document: readonly HeaderPair[];
  /** Of HTML that knows no nonce: a static file. */
  readonly file: readonly HeaderPair[];
  /** Of HTML, without its policy. */
  readonly page: readonly HeaderPair[];
  /** Writes the policy of HTML (CSP level 3); `undefined` where it has none. */
  readonly csp: ((nonce: string, formActions?: readonly string[]) => string) | undefined;
}

/** What a CORS policy adds to an answer, by the `Origin` of its request. */
export type CorsHeaders = (origin: string | null) => readonly HeaderPair[];

/** The default headers by scheme. */
export interface SchemeHeaders {
  /** Over HTTP. */
  readonly http: DefaultHeaders;
  /** Over HTTPS: with `Strict-Transport-Security`. */
  readonly https: DefaultHeaders;
}

/** The default headers of an application. */
export interface DefaultHeaderSets extends SchemeHeaders {
  /** Those behind a guard. */
  readonly guarded: SchemeHeaders;
}

/** The `Cache-Control` behind a guard, unless the application sets its own. */
export const guardedControl = "no-store";

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
    page: [...defaults.page, control],
  };
}

/** Puts the headers of a CORS policy on an answer, unless it has an `Access-Control-Allow-Origin`. */
export function appendCors(headers: Headers, pairs: readonly HeaderPair[]): void {
  const isOwn = headers.has("access-control-allow-origin");
  for (const [name, value] of pairs) {
    if (name === "vary" ? variesBy(headers.get("vary"), "origin") : isOwn) continue;
    headers.append(name, value);
  }
}

/** Says that a fragment request gets another answer, unless the answer says so already. */
export function appendFragmentVary(headers: Headers): void {
  if (!variesBy(headers.get("vary"), "fw-fragment")) headers.append("vary", "FW-Fragment");
}

/** What default headers are chosen by. */
interface DefaultsChoice {
  /** The default headers for the scheme. */
  readonly defaults: DefaultHeaders;
  /** The nonce of the request; a static file has none. */
  readonly nonce?: string | undefined;
  /** Origins besides its own to which the page may send forms. */
  readonly formActions?: readonly string[] | undefined;
}

/**
 * The default headers that an answer lacks.
 *
 * @param response The answer with its own headers.
 * @param c What the headers are chosen by; without a nonce HTML gets the policy of a static file.
 */
export function missingDefaults(
  response: Response,
  c: DefaultsChoice,
): HeaderPair[] {
  const { status, headers } = response;
  // A copy in a cache keeps the headers with which it was stored, its nonce above all.
  if (status === 304 || status === 101) return [];
  return listFor(response, c).filter(([name]) => !headers.has(name));
}

function listFor(
  { status, headers, body }: Response,
  c: DefaultsChoice,
): readonly HeaderPair[] {
  const { defaults } = c;
  if (status >= 300 && status < 400) return defaults.redirect;
  if (body === null && !headers.has("content-length")) return defaults.empty;
  const type = headers.get("content-type") ?? "";
  if (!isHtml(type) || c.nonce === undefined) return fileDefaults(type, defaults);
  return defaults.csp === undefined
    ? defaults.page
    : [...defaults.page, ["content-security-policy", defaults.csp(c.nonce, c.formActions)]];
}

/** The default headers of a static file by its type: it knows no nonce. */
export function fileDefaults(type: string, defaults: DefaultHeaders): readonly HeaderPair[] {
  if (isHtml(type)) return defaults.file;
  return isDocument(type) ? defaults.document : defaults.data;
}

function isHtml(type: string): boolean {
  return /^\s*text\/html\b/i.test(type);
}

/** Whether a browser would show it as a document in which something could run. */
function isDocument(type: string): boolean {
  return type === "" || /^[^;]*xml\b/i.test(type) ||
    /^\s*(?:application\/pdf|multipart\/)/i.test(type);
}
