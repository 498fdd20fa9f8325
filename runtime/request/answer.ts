import type { Answer } from "../base/ctx/answer.ts";
import {
  checkHeader,
  checkHeaders,
  checkLateHeaders,
  type CorsHeaders,
  extendVary,
  type HeaderPair,
  preferredFormat,
  readHeaders,
  redirectLocation,
  type RedirectStatus,
  withoutQuoted,
} from "../base/headers.ts";
import { isCompressedType } from "../base/media_types.ts";
import {
  appendCors,
  forbidsStoring,
  keepPrivate,
  missingDefaults,
  privateControl,
} from "./stage.ts";
import { writeFlashes } from "./flash.ts";
import { tellLanguage } from "./language.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { bindValidators, hasReadCookies } from "./validators.ts";

/** The responses of the framework whose headers were read afterwards, so that they may have changed. */
export const opened: WeakSet<Response> = new WeakSet();

/**
 * A response that notes when its headers are read. Checking all headers of each response would cost five times as
 * much, and a property of its own for each response 4 % of a request (`bench/http`).
 */
class BuiltResponse extends Response {
  override get headers(): Headers {
    opened.add(this);
    return checkLateHeaders(readHeaders.call(this));
  }
}

const watched = Object.getOwnPropertyDescriptor(BuiltResponse.prototype, "headers") ?? {};

/** Sets a response of the framework as the result; its head, default headers included, is complete. */
export function buildAnswer<R extends Response>(
  c: RequestCtx,
  response: R,
  kind: Answer["kind"] = "data",
): R {
  const { answer } = c;
  answer.response = response;
  answer.kind = kind;
  if (answer.state === "open") answer.state = "built";
  if (kind === "data") {
    if (answer.cache !== "public" && answer.cache !== "no-store" && !answer.isStaged) {
      readHeaders.call(response).append("cache-control", privateControl);
    }
    const isReused = (c.method === "GET" || c.method === "HEAD") &&
      (c.route?.isPage === true || response.status >= 300);
    if (isReused && variesByFragment(c, response)) {
      extendVary(readHeaders.call(response), "FW-Fragment");
    }
  }
  return response instanceof BuiltResponse
    ? response
    : Object.defineProperty(response, "headers", watched);
}

/**
 * Checks whether a response varies by fragment: that of a page route, and a redirect that caches may store,
 * because fragment requests get a 204 instead. Only for `GET` and `HEAD`: for others one more header costs a
 * tenth of a form post (`bench/http`).
 */
function variesByFragment({ route, answer }: RequestCtx, response: Response): boolean {
  const { status } = response;
  if (route?.isPage === true || status === 301 || status === 308) return true;
  if (status !== 302 && status !== 303 && status !== 307) return false;
  const control = answer.headers?.get("cache-control") ??
    readHeaders.call(response).get("cache-control");
  return control !== null && !forbidsStoring(control);
}

/** Sets headers afterwards, because as an option they create a second, native response (`bench/http`). */
function newResponse(
  body: BodyInit | null,
  { status, type }: { readonly status: number; readonly type: string },
  defaults: readonly HeaderPair[],
): Response {
  const response = status === 200 ? new BuiltResponse(body) : new BuiltResponse(body, { status });
  const headers = readHeaders.call(response);
  headers.set("content-type", type);
  for (const [name, value] of defaults) headers.append(name, value);
  return response;
}

/** Implements `c.json`: bigints are written exactly. */
export function buildJson(
  c: RequestCtx,
  status: number,
  value: unknown,
  type = "application/json",
): Response {
  if (status !== 200) refuseStatus(status, "json");
  return buildAnswer(c, newResponse(toJson(value), { status, type }, c.defaults.data));
}

/** Writes JSON in which a bigint is a number with all its digits. */
export function toJson(value: unknown): string {
  let body: string | undefined;
  try {
    body = JSON.stringify(value);
  } catch (error) {
    // Searching every value for bigints would slow down all responses for the few that contain one.
    if (!(error instanceof TypeError)) throw error;
    body = JSON.stringify(
      value,
      (_, item: unknown) => typeof item === "bigint" ? rawJSON(String(item)) : item,
    );
  }
  if (body === undefined) {
    throw new TypeError(`Cannot write ${typeof value} as JSON: use an object, a list or null.`);
  }
  return body;
}

/** `JSON.rawJSON`, which the platform's declarations do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

export function buildText(c: RequestCtx, status: number, body: string): Response {
  if (status !== 200) refuseStatus(status, "text");
  const type = "text/plain; charset=utf-8";
  return buildAnswer(c, newResponse(body, { status, type }, c.defaults.data));
}

/** Pages vary by fragment and always declare their language; other responses only if it was read. */
export function buildHtml(
  c: RequestCtx,
  status: number,
  body: BodyInit,
  kind: "page" | "stream" = "page",
): Response {
  if (status !== 200) refuseStatus(status, "html");
  const { page, csp } = c.defaults;
  const response = newResponse(body, { status, type: "text/html; charset=utf-8" }, page);
  const headers = readHeaders.call(response);
  const { spoken, answer } = c;
  headers.append("vary", spoken?.pageVary ?? "FW-Fragment");
  // A static host would need a rule for each page, and `lang` in the page already says it.
  if (spoken !== undefined && !c.isExport) headers.append("content-language", spoken.language);
  if (csp !== undefined) {
    headers.append("content-security-policy", csp(c.policyNonce, answer.formActions));
  } else if ((answer.cache === "private" || answer.cache === "declared") && !answer.isStaged) {
    // Without a policy the default headers lack it.
    headers.append("cache-control", privateControl);
  }
  return buildAnswer(c, response, kind);
}

export function buildEmpty(c: RequestCtx, status: number): Response {
  const response = new BuiltResponse(null, { status });
  const headers = readHeaders.call(response);
  for (const [name, value] of c.defaults.empty) headers.append(name, value);
  return buildAnswer(c, response);
}

export function buildRedirect(c: RequestCtx, url: string, status: RedirectStatus = 303): Response {
  const location = redirectLocation(url, status);
  const response = new BuiltResponse(null, { status });
  const headers = readHeaders.call(response);
  headers.set("location", location);
  for (const [name, value] of c.defaults.redirect) headers.append(name, value);
  return buildAnswer(c, response);
}

function refuseStatus(status: number, method: string): void {
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  const fix = !isStatus
    ? "use an integer from 200 to 599"
    : status === 204 || status === 205 || status === 304
    ? "that status has no body; use c.noContent()"
    : undefined;
  if (fix === undefined) return;
  throw new RangeError(`Cannot answer with c.${method}(${status}, …): ${fix}.`);
}

export function prefersPage(c: RequestCtx, path?: string): boolean {
  const { route } = c;
  if (route?.kind !== undefined) return route.kind === "page";
  const preferred = preferredFormat(c.headers.get("accept"));
  if (preferred !== undefined) return preferred === "html";
  return route === undefined && !/^\/api(\/|$)/.test(path ?? c.path);
}

/**
 * Adds a header to a response: immediately if the framework built it, so that no merge is needed, else when
 * it is finished. An existing header stays; `Vary` is extended.
 */
export function addHeader(c: RequestCtx, response: Response, [name, value]: HeaderPair): void {
  const headers = readHeaders.call(response);
  const isOwn = response === c.answer.response;
  if (name === "vary") {
    if (isOwn) extendVary(headers, value);
    else c.header(name, value);
  } else if (!headers.has(name)) {
    if (isOwn) headers.set(name, value);
    else c.header(name, value);
  }
}

/**
 * Returns the names by which a response varies if a cache may keep it: the cookies that were read, and the
 * coding, because the listener sets `Vary` only on responses that it compresses, so a cache would serve an
 * uncompressed first copy to every client.
 */
function keptVary(c: RequestCtx, headers: Headers, isOwn = false): string {
  // An unchanged response of the framework is cacheable only if the application staged one of these headers.
  const { headers: staged } = c.answer;
  if (isOwn && (staged === undefined || !keeping.some((name) => staged.has(name)))) return "";
  const control = withoutQuoted(headers.get("cache-control") ?? "");
  const isKept = /\b(?:public|max-age|s-maxage)\b/i.test(control) || headers.has("etag") ||
    headers.has("last-modified") || headers.has("expires");
  if (!isKept || forbidsStoring(control)) return "";
  const isCoded = !/\bno-transform\b/i.test(control) && !headers.has("content-encoding") &&
    isCompressedType(headers.get("content-type") ?? "");
  return (hasReadCookies(c) ? "Cookie," : "") + (isCoded ? "Accept-Encoding" : "");
}

/** @throws {TypeError} after cancelling the body, so that its producer stops. */
function checkHead(response: Response): void {
  try {
    checkHeaders(readHeaders.call(response));
  } catch (error) {
    response.body?.cancel().catch(() => {});
    throw error;
  }
}

/** Drops the invalid headers of an upgrade: no other response can be sent then. */
export function dropInvalid(c: RequestCtx, response: Response): Response {
  const headers = checkLateHeaders(response.headers);
  for (const [name, value] of [...headers]) {
    try {
      checkHeader(name, value);
    } catch (error) {
      headers.delete(name);
      c.log.error("a header of an upgrade was dropped", { route: c.pattern, error });
    }
  }
  return response;
}

const keeping: readonly string[] = ["cache-control", "etag", "last-modified", "expires"];

/**
 * Completes the head of a response. Staged headers replace those of the same name, `Vary` and `Set-Cookie`
 * append, user-specific responses are kept out of shared caches, and missing default headers are added. A
 * response that the framework built with nothing staged is complete; a foreign one is rebuilt at most once,
 * never changed; a 101 is returned as it is.
 */
export function finishAnswer(c: RequestCtx, response: Response, policy?: CorsHeaders): Response {
  const { answer } = c;
  const isOwn = response === answer.response;
  if (c.spoken !== undefined && !(isOwn && answer.kind !== "data")) tellLanguage(c, response);
  if (answer.taken !== undefined || answer.queued !== undefined) writeFlashes(c, response);
  if (response.status === 101) return dropInvalid(c, response);
  if (!isOwn) checkHead(response);
  const cors = policy?.(c.headers.get("origin"));
  // Accessing the body of the sent response would turn it into a stream without a length.
  const hasBody = isOwn ? readHeaders.call(response).has("content-type") : response.body !== null;
  // Caches store responses of these two methods.
  const isReusable = c.method === "GET" || c.method === "HEAD";
  const isChanged = opened.has(response);
  const hasDefaults = isOwn && answer.state === "built" && !answer.headers?.has("content-type") &&
    !(isChanged && answer.kind === "data");
  if (!isOwn && !answer.isStaged && answer.cache === "public") {
    const gaps = missingDefaults(response, hasBody, c);
    const varies = isReusable &&
      (variesByFragment(c, response) || keptVary(c, response.headers) !== "");
    const isWhole = gaps.length === 0 && cors === undefined && !varies;
    // A body that is already being read can be sent for HEAD only, which discards it.
    if (isWhole || response.body?.locked === true) {
      checkLateHeaders(response.headers);
      return response;
    }
  }
  // A response of the application must not be changed.
  const merged = isOwn ? response : new Response(response.body, response);
  const headers = readHeaders.call(merged);
  for (const [name, value] of answer.headers ?? []) headers.set(name, value);
  for (const text of answer.cookies?.values() ?? []) headers.append("set-cookie", text);
  if (answer.vary !== "") extendVary(headers, answer.vary);
  keepPrivate(c, headers, isOwn);
  if (answer.hasValidator) bindValidators(c, merged);
  if (!hasDefaults) {
    for (const [name, value] of missingDefaults(merged, hasBody, c)) headers.append(name, value);
  }
  if (isReusable) {
    if (variesByFragment(c, merged)) extendVary(headers, "FW-Fragment");
    extendVary(headers, keptVary(c, headers, isOwn && !isChanged));
  }
  if (cors !== undefined) appendCors(headers, cors);
  return merged;
}
