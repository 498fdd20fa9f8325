import type { Answer, CacheScope } from "../base/ctx/answer.ts";
import type { Cookie } from "../base/ctx/answers.ts";
import {
  checkHeader,
  extendVary,
  type HeaderPair,
  joinVary,
  readHeaders,
  splitList,
  withoutQuoted,
} from "../base/headers.ts";
import { cookieIdentity, serializeCookie } from "./cookies.ts";
import type { RequestCtx } from "./request_ctx.ts";

export function sealedError(what: string): TypeError {
  return new TypeError(`Cannot set ${what}: the head has been sent.`);
}

/** Maximum number of staged headers: the platform compares each with all others. */
const maxHeaders = 1_000;
const roomForErrors = 32;

/** Stages a header in place of one with the same name; `Vary` and `Set-Cookie` append. */
export function stage(c: RequestCtx, name: string, value: string): void {
  const { answer } = c;
  if (answer.state === "sealed") throw sealedError(`the header "${name}"`);
  const lower = name.toLowerCase();
  const checked = checkHeader(name, value);
  answer.isStaged = true;
  if (lower === "vary") answer.vary = joinVary(answer.vary, checked);
  else if (lower === "set-cookie") stageCookie(answer, checked, cookieIdentity(checked));
  else {
    const headers = answer.headers ??= new Map();
    if (headers.size >= maxHeaders && !headers.has(lower)) {
      // The error's own response needs room for its headers.
      for (const last of [...headers.keys()].slice(-roomForErrors)) headers.delete(last);
      throw new RangeError(
        `Cannot set the header "${name}": the response has ${maxHeaders} others; put lists into the body.`,
      );
    }
    headers.set(lower, checked);
  }
}

/** Stages a cookie in place of one with the same name, domain and path (RFC 6265, section 4.1.1). */
function stageCookie(answer: Answer, text: string, identity: string): void {
  const cookies = answer.cookies ??= new Map();
  cookies.delete(identity);
  cookies.set(identity, text);
}

export function setCookie(c: RequestCtx, cookie: Cookie): void {
  const { answer } = c;
  if (answer.state === "sealed") throw sealedError(`the cookie "${cookie.name}"`);
  answer.isStaged = true;
  const { name, path = c.base === "" ? "/" : c.base, domain = "" } = cookie;
  const text = serializeCookie(cookie, { path, isSecure: c.isSecure });
  // The same identity as `cookieIdentity` reads from a `Set-Cookie`.
  stageCookie(answer, text, `${name}\n${path}\n${domain}`);
}

export function stageStatus(c: RequestCtx, code: number): void {
  if (c.answer.state === "sealed") throw sealedError("the status");
  if (!Number.isInteger(code) || code < 200 || code > 599) {
    throw new RangeError(`Cannot set the status "${code}": use an integer from 200 to 599.`);
  }
  c.answer.status = code;
}

export function respond(c: RequestCtx, response: Response): void {
  if (c.answer.state === "sealed") throw sealedError("the answer");
  c.answer.given = response;
  c.answer.isWritten = true;
}

const scopes: readonly CacheScope[] = ["public", "declared", "private", "user", "no-store"];

/**
 * Marks who may reuse a response; an existing narrower mark stays. Unless the application sets
 * `Cache-Control`, a response for a user is `private` and one behind a guard `no-store`, so that the back
 * button shows nothing after signing out.
 */
export function mark({ answer }: RequestCtx, scope: CacheScope): void {
  if (scopes.indexOf(scope) <= scopes.indexOf(answer.cache)) return;
  answer.cache = scope;
  // A response that was built earlier lacks the header.
  if (answer.state !== "built") return;
  answer.state = "open";
  answer.isStaged = true;
}

export function markCookieRead({ answer }: RequestCtx): void {
  if (answer.state === "sealed") return;
  answer.vary = joinVary(answer.vary, "Cookie");
  answer.isStaged = true;
}

const sharedControls: readonly string[] = ["cdn-cache-control", "surrogate-control"];

/** The headers besides `Cache-Control` that set how long a cache may keep a response. */
const lifetimes: readonly string[] = ["expires", "age", ...sharedControls];

/** The headers that describe a body, which do not fit that of an error. */
const ofBody = /^(?:etag|last-modified|accept-ranges|(?:repr-)?digest|content-(?!security-policy))/;

/**
 * Drops staged headers that describe the body of a response that was never sent, and cache headers, so that an
 * error, or a redirect to the sign-in, is not cached and served to other clients. A 404 may still be cached.
 */
export function forgetCopy({ answer: { headers } }: RequestCtx, status: number): void {
  if (headers === undefined) return;
  for (const name of headers.keys()) if (ofBody.test(name)) headers.delete(name);
  if (status === 404 || status === 410) return;
  for (const name of lifetimes) headers.delete(name);
  const control = headers.get("cache-control");
  if (control !== undefined && !/\bno-(?:store|cache)\b(?!=)/i.test(withoutQuoted(control))) {
    headers.delete("cache-control");
  }
}

/** Prevents storing: a stored response would show the messages again. */
export function forgetShown({ answer }: RequestCtx): void {
  const headers = answer.headers ??= new Map();
  for (const name of ["etag", "last-modified", ...lifetimes]) headers.delete(name);
  if (!forbidsStoring(headers.get("cache-control") ?? "")) headers.set("cache-control", "no-store");
}

export function forbidsStoring(control: string): boolean {
  return /\bno-store\b(?!=)/i.test(withoutQuoted(control));
}

/** Prevents caching an error of one client, or a temporary one, unless its response sets a policy. */
export function forbidCopy(c: RequestCtx, response: Response, status: number): Response {
  const { answer } = c;
  // The same request, from another client or a little later, would get a different response.
  const isPassing = status >= 500 || status === 401 || status === 403 || status === 408 ||
    status === 429;
  if (answer.state === "sealed" || !isPassing) return response;
  const isOwn = response === answer.response;
  const headers = readHeaders.call(response);
  const given = headers.get("cache-control");
  const isDefault = isOwn && given === privateControl;
  if (answer.headers?.has("cache-control") || (given !== null && !isDefault)) return response;
  // Setting the header on the response itself avoids a merge.
  if (isOwn) headers.set("cache-control", "no-store");
  else c.header("cache-control", "no-store");
  return response;
}

/** Makes a response for one browser `private`, because not every cache honours `Vary`. */
export function keepPrivate({ answer }: RequestCtx, headers: Headers, isOwn: boolean): void {
  const { cache, headers: staged, cookies } = answer;
  const isShared = cache === "public" || (cache === "declared" && headers.has("cache-control"));
  if (isShared && cookies === undefined) return;
  for (const name of sharedControls) headers.delete(name);
  const isOpen = headers.has("last-modified") || headers.has("expires") || headers.has("etag");
  const given = headers.get("cache-control");
  // An application that sets a validator wants its response to be stored and revalidated.
  const isDefault = isOwn && cache === "no-store" && given === guardedControl &&
    staged?.has("cache-control") !== true;
  const control = isDefault && isOpen ? null : given;
  if (control === null) {
    // Without a policy, caches or their operators choose a lifetime themselves (RFC 9111, section 4.2.2).
    // Behind a guard the default headers, which follow, say `no-store`.
    if ((cache !== "public" && cache !== "no-store") || isOpen) {
      headers.set("cache-control", privateControl);
    }
  } else if (
    control !== privateControl && !/\b(?:private|no-store)\b(?!=)/i.test(withoutQuoted(control))
  ) {
    const own = splitList(control, ",").map((directive) => directive.trim())
      .filter((directive) => !/^(?:public|s-maxage(?:=.*)?)$/i.test(directive));
    headers.set("cache-control", ["private", ...own].join(", "));
  }
  if (cache !== "no-store") return;
  // A stored response for one user must not be shown to the next one.
  const sent = headers.get("cache-control");
  if (sent !== null && !forbidsStoring(sent)) extendVary(headers, "Cookie");
}

/** The default headers: those that browsers honour for the type, because each has a cost (`bench/http`). */
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

interface SchemeHeaders {
  readonly http: DefaultHeaders;
  /** Over HTTPS: with `Strict-Transport-Security`. */
  readonly https: DefaultHeaders;
}

export interface DefaultHeaderSets extends SchemeHeaders {
  readonly guarded: SchemeHeaders;
}

/** The `Cache-Control` behind a guard, unless the application sets its own. */
const guardedControl = "no-store";

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
  // A cached copy keeps the headers it was stored with, in particular its nonce.
  if (response.status === 304 || response.status === 101) return [];
  return listFor(response, hasBody, c).filter(([name]) => !response.headers.has(name));
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
