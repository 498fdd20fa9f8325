/**
 * The door for add-ons: what a package beside the runtime (sessions, AI, a queue, another store)
 * needs and an application does not. Outside the API promise of 0.x.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { deriveKey, equalSecrets, randomToken } from "@fw/fw/addon";
 *
 * assertEquals(randomToken().length, 43);
 * assertEquals(deriveKey("0".repeat(32), "reports").length, 32);
 * assertEquals(equalSecrets("a", "b"), false);
 * ```
 *
 * @module
 */
import type { Ctx } from "./base/types.ts";
import { markPersonal, varyByCookie as varyContextByCookie } from "./request/copies.ts";
import { readJson } from "./request/body_json.ts";
import type { RequestContext } from "./request/ctx.ts";
import { prefixedName } from "./request/cookies.ts";

export { deriveKey, equalSecrets, minSecretBytes, randomToken } from "./base/crypto.ts";
export { parseCookies } from "./request/cookies.ts";
export {
  commentFrame,
  type EventFields,
  eventFrame,
  heartbeatFrame,
  retryFrame,
} from "./request/sse_frame.ts";
export {
  type ServerEvent,
  type ServerEventLimits,
  ServerEventParser,
} from "./request/sse_parse.ts";

/**
 * Marks the response of a request as user-specific: shared caches must not store it.
 *
 * @param c The context of the request.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { markPrivate } from "@fw/fw/addon";
 *
 * function greet(c: Ctx, name: string): Response {
 *   markPrivate(c);
 *   return c.text(200, `Hello ${name}`);
 * }
 * console.assert(greet.length === 2);
 * ```
 */
export function markPrivate(c: Ctx): void {
  markPersonal(c as RequestContext);
}

/**
 * Adds `Vary: Cookie` to the response, because a cookie decides what it holds.
 *
 * @param c The context of the request.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { varyByCookie } from "@fw/fw/addon";
 *
 * function readTheme(c: Ctx): string {
 *   varyByCookie(c);
 *   return c.cookie("theme") ?? "light";
 * }
 * console.assert(readTheme.length === 1);
 * ```
 */
export function varyByCookie(c: Ctx): void {
  varyContextByCookie(c as RequestContext);
}

/**
 * Returns the name of a cookie with the strictest prefix that the request allows (RFC 6265bis,
 * section 4.1.3): `__Host-` over HTTPS, `__Secure-` over HTTPS below a base path, none over HTTP.
 *
 * @param c The context of the request.
 * @param name The name without a prefix.
 * @returns The name to write and to read the cookie by.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { prefixedCookieName } from "@fw/fw/addon";
 *
 * const nameOf = (c: Ctx) => prefixedCookieName(c, "session");
 * console.assert(nameOf.length === 1);
 * ```
 */
export function prefixedCookieName(c: Ctx, name: string): string {
  return prefixedName(name, {
    path: c.base === "" ? "/" : c.base,
    isSecure: (c as RequestContext).isSecure,
  });
}

/**
 * Reads the body of a request as JSON, within the limits of the application.
 *
 * @param c The context of the request.
 * @returns What `JSON.parse` returns.
 * @throws {HttpError} 400 for malformed JSON, 408, 413 or 415.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { readJsonBody } from "@fw/fw/addon";
 *
 * const echo = async (c: Ctx) => c.json(200, await readJsonBody(c));
 * console.assert(echo.length === 1);
 * ```
 */
export async function readJsonBody(c: Ctx): Promise<unknown> {
  return (await readJson(c as RequestContext)).value;
}

/**
 * Returns the headers of a request as they came. `c.request.headers` are the same, but `c.request` first
 * puts the limits of the body over its methods, which a small request feels.
 *
 * @param c The context of the request.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { requestHeaders } from "@fw/fw/addon";
 *
 * const agent = (c: Ctx) => requestHeaders(c).get("user-agent");
 * console.assert(agent.length === 1);
 * ```
 */
export function requestHeaders(c: Ctx): Headers {
  return (c as RequestContext).headers;
}

/**
 * Returns whether the CORS policy of the route, else that of the application, lets pages of an origin
 * call.
 *
 * @param c The context of the request.
 * @param origin The value of the header `Origin`.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { allowsOrigin } from "@fw/fw/addon";
 *
 * const isPartner = (c: Ctx) => allowsOrigin(c, "https://partner.example");
 * console.assert(isPartner.length === 1);
 * ```
 */
export function allowsOrigin(c: Ctx, origin: string): boolean {
  const headers = (c as RequestContext).cors?.(origin);
  return headers?.some(([name]) => name === "access-control-allow-origin") === true;
}

/**
 * Runs another request through the application, on the connection of this one: limits by address and
 * the address in the log are those of the caller.
 *
 * @param c The context of the request that needs it.
 * @param request The request to run.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { fetchInside } from "@fw/fw/addon";
 *
 * const today = (c: Ctx) => fetchInside(c, new Request(new URL("/events/today", c.url)));
 * console.assert(today.length === 1);
 * ```
 */
export function fetchInside(c: Ctx, request: Request): Promise<Response> {
  return c.app.fetch(request, (c as RequestContext).info);
}
