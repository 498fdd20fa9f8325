import type { Ctx } from "../mod.ts";
import { allowsOrigin, requestHeaders } from "../runtime/addon.ts";

/** Reports whether a page of another site sent a request: browsers add `Origin` to every POST and DELETE. */
export function isForeign(c: Ctx): boolean {
  const origin = requestHeaders(c).get("origin");
  return origin !== null && !isOwn(c, origin) && !allowsOrigin(c, origin);
}

/** Reports whether an origin has the host of the request: behind a proxy that ends TLS the schemes differ. */
function isOwn(c: Ctx, origin: string): boolean {
  if (origin === c.app.config.publicOrigin) return true;
  const host = requestHeaders(c).get("host") ?? "";
  return /^https?:\/\//.test(origin) && origin.slice(origin.indexOf("//") + 2) === host;
}

/**
 * Returns why a request must be refused that a page of another site may have sent, or `undefined`. A
 * page can reach a server on the user's machine by letting its own name point there (DNS rebinding): then
 * `Origin` and `Host` agree, so the host counts only where the application knows it.
 */
export function refuseOrigin(c: Ctx): string | undefined {
  const headers = requestHeaders(c);
  const origin = headers.get("origin");
  // Every browser sends the header with a POST and a DELETE; a GET needs the id of a session.
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

/** With a list of hosts, every host that came this far is in it. */
function isKnownHost(c: Ctx, host: string): boolean {
  return c.app.config.allowedHosts.length > 0 ||
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
