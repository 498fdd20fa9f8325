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
import { parseEnv, readVariable } from "./base/env.ts";
import { currentTexts } from "./base/texts.ts";
import type { Application } from "./base/ctx/application.ts";
import type { Ctx } from "./base/ctx/ctx.ts";
import { readJson } from "./body/json.ts";
import { renewToken } from "./guard/csrf.ts";
import { prefersPage } from "./render/error_pages.ts";
import { addVaryCookie, markPersonal } from "./request/cache_privacy.ts";
import { exchangeOf } from "./request/context.ts";
import { isRepeated, prefixedName } from "./request/cookies.ts";
import { signerOf } from "./request/signed.ts";

export { deriveKey, equalSecrets, minSecretBytes, randomToken } from "./base/crypto.ts";
export {
  type CodeFrame,
  formatFrame,
  formatPlace,
  type FrameLine,
  readFrame,
  type SourcePlace,
} from "./base/diagnose/code_frame.ts";
export { frameBlock } from "./base/diagnose/code_frame_block.ts";
export { escapeLines } from "./base/diagnose/escape.ts";
export { readVariable } from "./base/env.ts";
export { findMisspelt, type MisspeltVariable } from "./base/diagnose/misspelt.ts";
export { findNearest } from "./base/diagnose/nearest.ts";
export type { Awaitable, SessionOwner, SessionStore, StoredSession } from "./base/session_store.ts";
export { type Gate, setGate } from "./request/chain.ts";
export { parseCookies } from "./request/cookies.ts";
export { parseHttpDate } from "./request/http_date.ts";
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
export { type FormFieldFacts, readFormFields } from "./schema/form_fields.ts";
export { isLoopback } from "./base/ip.ts";
export { type CappedRead, readCapped } from "./base/capped_body.ts";
export { fileSizeMessage } from "./body/upload/upload.ts";
export { pageQuery } from "./base/url/action.ts";
export { isPlainPath } from "./base/url/path.ts";
export { isJsonObject, isThenable, type JsonObject } from "./base/values.ts";

/**
 * Marks the response of a request as user-specific: shared caches must not store it. A response that
 * sets no `Cache-Control` gets `private`.
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
  markPersonal(exchangeOf(c), "user");
}

/**
 * Marks a response as guarded: no cache stores it unless the application overrides that, and a shared
 * cache never does. Called before the handler runs it costs next to nothing.
 *
 * @param c The context of the request.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { markGuarded } from "@fw/fw/addon";
 *
 * const letPass = (c: Ctx): void => markGuarded(c);
 * console.assert(letPass.length === 1);
 * ```
 */
export function markGuarded(c: Ctx): void {
  markPersonal(exchangeOf(c), "guarded");
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

/**
 * Returns whether a request has two cookies of one name: another host may have planted one, and which is
 * the browser's own cannot be told.
 *
 * @param c The context of the request.
 * @param name The name, with its prefix.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { isCookieRepeated } from "@fw/fw/addon";
 *
 * const readTicket = (c: Ctx) => isCookieRepeated(c, "ticket") ? undefined : c.cookie("ticket");
 * console.assert(readTicket.length === 1);
 * ```
 */
export function isCookieRepeated(c: Ctx, name: string): boolean {
  return isRepeated(exchangeOf(c).cookieHeader, name);
}

/**
 * Replaces the CSRF token of the browser, as at sign-in: forms rendered before are refused afterwards.
 *
 * @param c The context of the request.
 * @returns The new token.
 * @throws {TypeError} once the head has been sent.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { renewCsrfToken } from "@fw/fw/addon";
 *
 * const changeUser = (c: Ctx): string => renewCsrfToken(c);
 * console.assert(changeUser.length === 1);
 * ```
 */
export function renewCsrfToken(c: Ctx): string {
  return renewToken(exchangeOf(c));
}

/**
 * Returns whether an error of the request would be a page: the kind of the route decides, then `Accept`.
 *
 * @param c The context of the request.
 * @returns `false` for a client that gets problem documents.
 * @example
 * ```ts
 * import type { Ctx, Result } from "@fw/fw";
 * import { httpError } from "@fw/fw";
 * import { wantsHtml } from "@fw/fw/addon";
 *
 * const refuse = (c: Ctx): Result => wantsHtml(c) ? c.redirect("/login") : httpError(401, "sign in");
 * console.assert(refuse.length === 1);
 * ```
 */
export function wantsHtml(c: Ctx): boolean {
  return prefersPage(exchangeOf(c));
}

/**
 * Returns whether the head of the response has been sent, so that no cookie can be set any more: in a
 * stream, a deferred part or after a WebSocket was opened.
 *
 * @param c The context of the request.
 * @returns `true` once the head has been sent.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { isHeadSent } from "@fw/fw/addon";
 *
 * function rememberVisit(c: Ctx): void {
 *   if (!isHeadSent(c)) c.setCookie({ name: "seen", value: "1" });
 * }
 * console.assert(rememberVisit.length === 1);
 * ```
 */
export function isHeadSent(c: Ctx): boolean {
  return exchangeOf(c).isSealed;
}

/**
 * Adds origins to the directive `form-action` of the response's Content Security Policy. Browsers apply
 * it to redirects that follow a form submission as well, so a form whose handler redirects to another
 * site needs that origin listed. Applies to pages rendered after the call.
 *
 * @param c The context of the request.
 * @param origins Origins such as `https://id.example`.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { allowFormActions } from "@fw/fw/addon";
 *
 * const offerPayment = (c: Ctx): void => allowFormActions(c, ["https://pay.example"]);
 * console.assert(offerPayment.length === 1);
 * ```
 */
export function allowFormActions(c: Ctx, origins: readonly string[]): void {
  exchangeOf(c).allowFormActions(origins);
}

/**
 * Derives keys from the secret of an application (`FW_SECRET`), for a purpose other than its cookies.
 * In development without a secret they last as long as the process.
 *
 * @param app The application, once it serves.
 * @param purpose Names the use, such as `"reports 1"`: each purpose has keys of its own.
 * @returns 32 bytes each: the current key first, then the one of `FW_SECRET_PREVIOUS`; none in
 * production without a secret.
 * @throws {TypeError} before the application is compiled.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { appKeys } from "@fw/fw/addon";
 *
 * const app = new App({ secret: "0".repeat(32) });
 * app.handler();
 * assertEquals(appKeys(app, "reports 1").map((key) => key.length), [32]);
 * ```
 */
export function appKeys(app: Application, purpose: string): readonly Uint8Array[] {
  return signerOf(app).keysFor(purpose);
}

/**
 * Verifies a text that `c.setSigned` has signed for a name, as `c.signed` does with the cookie of the
 * request; the response is not marked as one that the cookie decides.
 *
 * @param c The context of the request.
 * @param signed The text, and the name that it was signed for.
 * @returns The value, or `undefined` for a text that is forged, expired or garbage.
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { verifySigned } from "@fw/fw/addon";
 *
 * const isOurs = (c: Ctx, text: string): boolean =>
 *   verifySigned(c, { name: "ticket", text }) !== undefined;
 * console.assert(isOurs.length === 2);
 * ```
 */
export function verifySigned(
  c: Ctx,
  signed: { readonly name: string; readonly text: string },
): string | undefined {
  return signerOf(c.app).verify(signed.name, signed.text);
}

/**
 * Returns the words that the application which runs now sets in `config.labels`.
 *
 * @returns The words by name; `undefined` outside a request and for an application that sets none.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { appLabels } from "@fw/fw/addon";
 *
 * const app = new App({ labels: { close: "Fechar" }, logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, appLabels()?.["close"] ?? "") } });
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertEquals(await response.text(), "Fechar");
 * assertEquals(appLabels(), undefined);
 * ```
 */
export function appLabels(): Readonly<Record<string, string>> | undefined {
  return currentTexts()?.labels;
}

/**
 * Returns the language of the request that runs now, for words that an add-on writes by itself. Reading it
 * makes the response vary by what decided.
 *
 * @returns A tag of `config.languages`; `undefined` outside a request, where none are listed, and on a page
 * in English without texts of its own, which then are those of the process.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { requestLanguage } from "@fw/fw/addon";
 *
 * const app = new App({ languages: ["en", "pt-PT"], logRequest: () => false });
 * app.route({ pattern: "/", methods: { GET: (c) => c.text(200, requestLanguage() ?? "") } });
 * const headers = { "accept-language": "pt-PT,pt;q=0.9" };
 * const response = await app.fetch(new Request("http://localhost/", { headers }));
 * assertEquals(await response.text(), "pt-PT");
 * assertEquals(requestLanguage(), undefined);
 * ```
 */
export function requestLanguage(): string | undefined {
  return currentTexts()?.language;
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
  return (await readJson(exchangeOf(c).body)).value;
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
  return exchangeOf(c).headers;
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
  const headers = exchangeOf(c).cors?.(origin);
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
  return c.app.fetch(request, exchangeOf(c).info);
}

/**
 * Checks whether the process runs in development (`FW_ENV=dev`). Never prompts for a permission.
 *
 * @returns `false` also where the variable may not be read.
 * @throws {TypeError} for a value that is neither `dev` nor `prod`.
 * @example
 * ```ts
 * import { isDevelopment } from "@fw/fw/addon";
 *
 * console.assert(typeof isDevelopment() === "boolean");
 * ```
 */
export function isDevelopment(): boolean {
  const { state } = Deno.permissions.querySync({ name: "env", variable: "FW_ENV" });
  if (state !== "granted") return false;
  return parseEnv(readVariable("FW_ENV") ?? "prod") === "dev";
}
