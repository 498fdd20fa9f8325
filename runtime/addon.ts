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
import { addVaryCookie, markPersonal } from "./request/cache_privacy.ts";
import { exchangeOf } from "./request/context.ts";
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
  markPersonal(exchangeOf(c));
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
  addVaryCookie(exchangeOf(c));
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
    isSecure: exchangeOf(c).isSecure,
  });
}
