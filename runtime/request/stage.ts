import type { Answer, CacheScope } from "../base/ctx/answer.ts";
import type { Cookie } from "../base/ctx/answers.ts";
import { checkHeader, joinVary } from "../base/headers.ts";
import { cookieIdentity, serializeCookie } from "./cookies.ts";
import type { RequestCtx } from "./request_ctx.ts";

/** Creates the error for a change of the head that has been sent. */
export function sealedError(what: string): TypeError {
  return new TypeError(`Cannot set ${what}: the head has been sent.`);
}

/** The maximum number of staged headers: the platform compares each name with all others, and clients refuse more. */
const maxHeaders = 1_000;
const roomForErrors = 32;

/**
 * Stages a header: it replaces one of the same name; `Vary` and `Set-Cookie` append.
 *
 * @throws {TypeError} for a header that cannot be set, and once the head has been sent.
 * @throws {RangeError} for more than 1,000 names.
 */
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

/**
 * Stages a cookie in place of one with the same name, domain and path, since a response should not set a cookie
 * twice (RFC 6265, section 4.1.1).
 */
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
  // As `cookieIdentity` reads it from the text.
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

const scopes: readonly CacheScope[] = ["public", "private", "user", "no-store"];

/**
 * Marks who may reuse a response; a narrower mark from before stays. Unless the application sets
 * `Cache-Control`, a response for a user is `private` and one behind a guard `no-store`, so that the back
 * button shows nothing after signing out.
 */
export function mark({ answer }: RequestCtx, scope: CacheScope): void {
  if (scopes.indexOf(scope) <= scopes.indexOf(answer.cache)) return;
  answer.cache = scope;
  // A response that was built before lacks the header.
  if (answer.state !== "built") return;
  answer.state = "open";
  answer.isStaged = true;
}

/** Adds `Cookie` to `Vary`, since the request's cookies determine the response. */
export function markCookieRead({ answer }: RequestCtx): void {
  if (answer.state === "sealed") return;
  answer.vary = joinVary(answer.vary, "Cookie");
  answer.isStaged = true;
}
