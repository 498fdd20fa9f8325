import * as h from "../../html/mod.ts";
import type { Node } from "../../html/node.ts";
import { type Config, csrfNames, type SentCsrfNames } from "../base/config/config.ts";
import { equalsToken, isWellFormed, maskToken } from "../base/crypto.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { Method, Route } from "../base/ctx/route.ts";
import type { Chain, Step } from "../request/chain.ts";
import { findCookie, isRepeated, parseCookies } from "../request/cookies.ts";
import { contexts, type RequestCtx } from "../request/request_ctx.ts";
import { formerCookie, shownToken } from "./csrf_token.ts";
import { readForm } from "../body/form/form.ts";

/**
 * Reports whether a method of a route checks the token: unsafe methods, always for pages, for other
 * routes when their kind is `page` or the application enables it; never where the route opted out.
 */
export function isCsrfChecked(route: Route, method: Method, config: Config): boolean {
  if (route.csrf === false || method === "GET" || method === "OPTIONS") return false;
  return route.page !== undefined || route.kind === "page" || config.csrfForApi;
}

/**
 * Reports whether a method of a route refuses cross-site requests before any middleware: unsafe methods,
 * unless the route opted out. If a route checks the token and has no middleware, the token check refuses
 * them.
 */
export function isSiteChecked(route: Route, method: Method, config: Config): boolean {
  if (route.csrf === false || method === "GET" || method === "OPTIONS") return false;
  return !isCsrfChecked(route, method, config) || (route.middleware?.length ?? 0) > 0;
}

/** The credentials that a browser adds to each request on its own, also to those of other sites' pages. */
const ambient = /^(?:basic|digest|negotiate|ntlm)(?: |$)/i;

/**
 * Wraps a chain with the refusal of cross-site requests that carry the browser's authority: a cookie, because
 * `SameSite=Lax` guards only cookies that have it, and none against sibling hosts; or credentials that the
 * browser adds itself.
 */
export function refuseCrossSite(chain: Chain): Chain {
  return (c) => {
    const hasCookie = (c.headers.get("cookie") ?? "") !== "";
    if (!hasCookie && !ambient.test(c.headers.get("authorization") ?? "")) return chain(c);
    const reason = findForeign(c, { trustsListed: true });
    if (reason === undefined) return chain(c);
    throw refuse(c, reason, "nowhere");
  };
}

/**
 * Wraps a handler with the CSRF check (double-submit cookie, OWASP): the token of the form or of the header
 * must be the one in the cookie, which must be one that this framework generated. Requests that the browser
 * marks as cross-site are refused before that, since a sibling host can plant a cookie of its own.
 */
export function requireCsrf(handler: Step, names: SentCsrfNames): Step {
  return (c) => {
    const { headers } = c;
    const foreign = findForeign(c, { trustsListed: false });
    if (foreign !== undefined) return refuse(c, foreign);
    const { csrf } = c.cookieNames;
    const expected = findCookie(c.cookieHeader, csrf) ?? "";
    if (expected === "") return refuse(c, "cookie-missing");
    if (!isWellFormed(expected)) return refuse(c, "cookie-malformed");
    if (isRepeated(c.cookieHeader, csrf)) return refuse(c, "cookie-repeated");
    const decide = (sent: string, place: "header" | "field"): ReturnType<Step> => {
      if (sent === "") return refuse(c, "token-missing", place);
      return equalsToken(sent, expected) || isFormer(c, sent)
        ? handler(c)
        : refuse(c, "token-differs", place);
    };
    const sent = headers.get(names.header) ?? "";
    const kind = c.body.type?.kind;
    const isField = sent === "" && (kind === "urlencoded" || kind === "multipart");
    if (!isField) return decide(sent, "header");
    // The body must be read, within its limit.
    return readForm(c.body).then((form) => decide(form.get(names.field) ?? "", "field"));
  };
}

/** Reports whether a form of the application was opened before the sign-in, in another tab. */
function isFormer(c: RequestCtx, sent: string): boolean {
  const origin = c.headers.get("origin");
  // Under `Referrer-Policy: no-referrer`, browsers send `null` as the origin.
  const isOwn = c.headers.get("sec-fetch-site") === "same-origin" ||
    origin !== null && isOwnHost(c, origin);
  if (!isOwn) return false;
  const former = findCookie(c.cookieHeader, formerCookie(c));
  return former !== undefined && equalsToken(sent, former);
}

type Reason = ForeignReason | `cookie-${"missing" | "malformed" | "repeated"}` | TokenReason;
type TokenReason = "token-missing" | "token-differs";

/** Where the token was sent; `nowhere` for a route that checks none. */
type Place = "header" | "field" | "nowhere";

function refuse(c: RequestCtx, reason: Reason, place: Place = "field"): HttpError {
  c.app.security.report(c, "csrf", { reason });
  const message = c.env === "dev"
    ? explain(c, reason, place)
    : reason === "lost-port"
    ? "The proxy in front of this site drops the port of its address. Reloading does not help."
    : place === "nowhere"
    ? "This request came from another site."
    : "This form is no longer valid. Reload the page and send it again.";
  return httpError(403, message, { code: "csrf_failed" });
}

/** Explains in development which value was at fault and which setting controls it. */
function explain(c: RequestCtx, reason: Reason, place: Place): string {
  const names = csrfNames(c.app.config);
  const cookie = `the cookie "${c.cookieNames.csrf}" (config.csrf.cookie)`;
  const field = `the form field "${names.field}" (config.csrf.field)`;
  const header = `the header "${names.header}" (config.csrf.header)`;
  switch (reason) {
    case "cross-site":
      return "CSRF check: the header Sec-Fetch-Site is cross-site, so another site sent this " +
        "request with the visitor's credentials. If it may, as with a payment provider's callback, " +
        "export const CSRF = false from the route" +
        (place === "nowhere"
          ? ", or list its origin in config.cors.origins or in the CORS of the route."
          : ".");
    case "same-site":
      return "CSRF check: the header Sec-Fetch-Site is same-site, so another host or port of this " +
        "domain sent this request. If its pages may, list it in config.cors.origins.";
    case "foreign-origin":
    case "lost-port":
      return `CSRF check: the header Origin is ${
        JSON.stringify(c.headers.get("origin"))
      }, but the request came to ${JSON.stringify(c.target.host.toLowerCase())}. ` +
        fixHost(c, c.headers.get("origin") ?? "") +
        ", or list the origin in config.cors.origins if its pages may send this.";
    case "cookie-missing":
      return `CSRF check: ${cookie} is missing. It is set when csrfInput(c) or c.csrfToken() ` +
        "renders the form: open the form first, and let the client keep cookies.";
    case "cookie-malformed":
      return `CSRF check: ${cookie} holds no token of this framework, so something else has set ` +
        "it. Rendering the form again replaces it; a second application on this host needs " +
        "another name.";
    case "cookie-repeated":
      return `CSRF check: ${cookie} arrived twice, for two paths or from two hosts of this domain. ` +
        'Remove one; over HTTPS, a name such as "__Host-fw_csrf" keeps other hosts from setting it.';
    case "token-missing":
      return `CSRF check: ${field} and ${header} are missing. Put csrfInput(c) into the form, ` +
        "or send c.csrfToken() in the header.";
    case "token-differs":
      return `CSRF check: ${
        place === "header" ? header : field
      } differs from ${cookie}. The form ` +
        "was made for another cookie: reload it; if it happens again, look for a second " +
        "application on this host that sets a cookie of the same name, or rename this one.";
  }
}

/** Returns the port that a proxy removed from the `Host`, if nothing else differs. */
function lostPort(c: RequestCtx, origin: string): string | undefined {
  const { hostname, port } = URL.parse(origin) ?? {};
  const isLost = port !== "" && hostname === c.target.host.toLowerCase();
  return isLost ? port : undefined;
}

/** Returns the fix that tells the application the origin of its own pages. */
export function fixHost(c: RequestCtx, origin: string): string {
  const port = lostPort(c, origin);
  const fix = port === undefined
    ? "Let the proxy pass the Host on"
    : `The proxy lost the port ${port}: let it pass the whole Host on (nginx: $http_host, not $host)`;
  return `${fix}, or set config.publicOrigin (FW_ORIGIN)`;
}

/**
 * Returns the hidden input that carries the CSRF token; every form that posts to a page needs one. The first
 * call of a request sets the cookie where the browser has none.
 *
 * @returns `<input type="hidden" name="_csrf" value="…">`; `config.csrf.field` names it.
 * @example
 * ```ts
 * import { App, csrfInput } from "@fw/fw";
 * import * as h from "@fw/fw/h";
 * import { testPage } from "@fw/fw/testing";
 *
 * const page = (c: import("@fw/fw").Ctx) => h.form(h.method("post"), csrfInput(c), h.button("Send"));
 * await testPage({ page }, "/new").wantContains('<input type="hidden" name="_csrf" value="');
 * ```
 */
export function csrfInput(c: Ctx): Node {
  const { field } = csrfNames(c.app.config);
  return h.input(h.type("hidden"), h.name(field), h.value(c.csrfToken()));
}

/**
 * Returns the CSRF token of a request, for code that has no context, such as another framework's view.
 *
 * @param request The value of `c.request`, or any other request.
 * @param options `cookie` names the cookie. @default `config.csrf.cookie` of the application that handles the
 * request, else `fw_csrf`
 * @returns The result of `c.csrfToken()` for the request, else the token of its cookie with a fresh mask,
 * else `undefined`.
 * @example
 * ```ts
 * import { assertMatch } from "@std/assert";
 * import { csrfTokenFrom } from "@fw/fw";
 *
 * const token = "0".repeat(43);
 * const request = new Request("http://localhost/", { headers: { cookie: `fw_csrf=${token}` } });
 * assertMatch(csrfTokenFrom(request) ?? "", /^[A-Za-z0-9_-]{86}$/);
 * ```
 */
export function csrfTokenFrom(
  request: Request,
  options: { readonly cookie?: string } = {},
): string | undefined {
  const masked = shownToken(request);
  if (masked !== undefined) return masked;
  const token = parseCookies(request.headers.get("cookie"))
    .get(options.cookie ?? contexts.get(request)?.cookieNames.csrf ?? "fw_csrf");
  return token !== undefined && isWellFormed(token) ? maskToken(token) : undefined;
}

type ForeignReason = "cross-site" | "same-site" | "foreign-origin" | "lost-port";

/** Returns why a request is foreign; programs send neither `Sec-Fetch-Site` nor `Origin`, and pass. */
function findForeign(
  c: RequestCtx,
  { trustsListed }: { readonly trustsListed: boolean },
): ForeignReason | undefined {
  const { headers } = c;
  const site = headers.get("sec-fetch-site")?.toLowerCase() ?? "";
  if (site === "same-origin" || site === "none") return undefined;
  const origin = headers.get("origin");
  const isNamed = origin !== null && isListed(c, origin);
  if (/\bcross-site\b/.test(site)) return trustsListed && isNamed ? undefined : "cross-site";
  if (isNamed) return undefined;
  if (/\bsame-site\b/.test(site)) return "same-site";
  if (origin === null || isOwnHost(c, origin)) return undefined;
  return lostPort(c, origin) === undefined ? "foreign-origin" : "lost-port";
}

/**
 * Reports whether the CORS policy lists the origin by name: that of the route, else that of the
 * application. A policy open to all lists none, because it shares public data, not data behind a cookie.
 */
export function isListed(c: RequestCtx, origin: string): boolean {
  return origin !== "*" &&
    c.cors?.(origin).some(([name, value]) =>
        name === "access-control-allow-origin" && value === origin
      ) === true;
}

/** Reports whether the origin is the application's own or that of the request: scheme, host and port. */
export function isOwnOrigin(c: RequestCtx, origin: string): boolean {
  return origin === c.app.config.publicOrigin ||
    origin.startsWith(c.isSecure ? "https:" : "http:") && isOwnHost(c, origin);
}

/**
 * Reports whether the origin has the host of the request. Behind an untrusted proxy that terminates TLS, a
 * legitimate page has another scheme; a page without TLS never belongs to a site with TLS.
 */
function isOwnHost(c: RequestCtx, origin: string): boolean {
  if (origin === c.app.config.publicOrigin) return true;
  const [, scheme, host] = /^(https?):\/\/(.+)$/.exec(origin) ?? [];
  if (host === undefined || (scheme === "http" && c.isSecure)) return false;
  const own = c.target.host.toLowerCase();
  // A proxy behind the one that terminates TLS may add its own port (nginx: $host:$server_port).
  return own === host || own === `${host}:80` || scheme === "https" && own === `${host}:443`;
}
