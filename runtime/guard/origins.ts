/** Which site a request comes from: the `Origin` and `Sec-Fetch-Site` that browsers add and no page can change. */
import type { Exchange } from "../request/exchange.ts";

/** Why a request is taken for another site's. */
export type ForeignReason = "cross-site" | "same-site" | "foreign-origin";

/** How requests are judged. */
interface SiteRules {
  /** Whether a request from a listed origin passes, even if the browser marks it as cross-site. */
  readonly trustsListed: boolean;
}

/**
 * Finds why a request is another site's. A client that sends neither `Sec-Fetch-Site` nor `Origin` is no
 * browser.
 *
 * @returns The reason; `undefined` for a request of the application's own pages and of other programs.
 */
export function findForeign(c: Exchange, { trustsListed }: SiteRules): ForeignReason | undefined {
  const { headers } = c;
  const site = headers.get("sec-fetch-site")?.toLowerCase() ?? "";
  if (site === "same-origin" || site === "none") return undefined;
  const origin = headers.get("origin");
  const isNamed = origin !== null && isListed(c, origin);
  if (/\bcross-site\b/.test(site)) return trustsListed && isNamed ? undefined : "cross-site";
  if (isNamed) return undefined;
  if (/\bsame-site\b/.test(site)) return "same-site";
  return origin === null || isOwnHost(c, origin) ? undefined : "foreign-origin";
}

/**
 * Whether the CORS policy lists the origin by name: that of the route, else that of the application. A policy
 * that is open to all lists none, since it shares what is public and not what a cookie opens.
 */
export function isListed(c: Exchange, origin: string): boolean {
  return origin !== "*" &&
    c.cors?.(origin).some(([name, value]) =>
        name === "access-control-allow-origin" && value === origin
      ) === true;
}

/** Whether the origin is that of the request: scheme, host and port. */
export function isOwnOrigin(c: Exchange, origin: string): boolean {
  return origin.startsWith(c.isSecure ? "https:" : "http:") && isOwnHost(c, origin);
}

/**
 * Whether the origin has the host of the request. Behind an untrusted proxy that ends TLS, an honest page has
 * another scheme; a page without TLS never belongs to a site with it.
 */
function isOwnHost(c: Exchange, origin: string): boolean {
  const [, scheme, host] = /^(https?):\/\/(.+)$/.exec(origin) ?? [];
  if (host === undefined || (scheme === "http" && c.isSecure)) return false;
  const own = c.target.host.toLowerCase();
  return own === host || own === `${host}:${scheme === "https" ? 443 : 80}`;
}
