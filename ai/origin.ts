import type { Ctx } from "../mod.ts";
import { allowsOrigin, requestHeaders } from "../runtime/addon.ts";

/** Reports whether a page of another site sent a request, by the `Origin` of every POST and DELETE. */
export function isForeign(c: Ctx): boolean {
  const origin = requestHeaders(c).get("origin");
  return origin !== null && !isOwn(c, origin) && !allowsOrigin(c, origin);
}

/** Reports whether an origin has the request's host; the scheme may differ behind a TLS proxy. */
function isOwn(c: Ctx, origin: string): boolean {
  if (origin === c.app.config.publicOrigin) return true;
  const host = requestHeaders(c).get("host") ?? "";
  return /^https?:\/\//.test(origin) && origin.slice(origin.indexOf("//") + 2) === host;
}

/**
 * Returns why to refuse a request that a page of another site may have sent, or `undefined`. A page can
 * reach a server on the user's machine by pointing its own domain there (DNS rebinding). Then `Origin`
 * and `Host` match, so the host must also be known to the application.
 */
export function refuseOrigin(c: Ctx): string | undefined {
  const headers = requestHeaders(c);
  const origin = headers.get("origin");
  // Browsers send the header with every POST and DELETE; a GET needs a session id.
  if (origin === null || allowsOrigin(c, origin) || origin === c.app.config.publicOrigin) {
    return undefined;
  }
  const host = headers.get("host") ?? "";
  const hasOwnHost = isOwn(c, origin);
  if (hasOwnHost && isKnownHost(c, host)) return undefined;
  c.app.security.report(c, "csrf", { reason: hasOwnHost ? "unknown-host" : "foreign-origin" });
  if (c.env !== "dev") return "This origin may not call";
  const fix = hasOwnHost
    ? "add the host to config.allowedHosts (FW_ALLOWED_HOSTS)"
    : "list the origin in config.cors.origins, or in the CORS of the route";
  const [from, to] = [origin, host].map((text) => JSON.stringify(text));
  return `The Origin ${from} may not call the host ${to}: ${fix}`;
}

/** Reports whether a host is trusted; with `allowedHosts`, others were refused earlier. */
function isKnownHost(c: Ctx, host: string): boolean {
  return c.app.config.allowedHosts.length > 0 ||
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
