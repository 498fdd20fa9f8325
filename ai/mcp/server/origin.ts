import type { Ctx } from "../../../mod.ts";
import { allowsOrigin, requestHeaders } from "../../../runtime/addon.ts";

/**
 * Returns why a request must be refused that a page of another site may have sent, or `undefined`. A
 * page can reach a server on the user's machine by letting its own name point there (DNS rebinding): then
 * `Origin` and `Host` agree, so the host counts only where the application knows it.
 */
export function refuseOrigin(c: Ctx): string | undefined {
  const headers = requestHeaders(c);
  const origin = headers.get("origin");
  // Every browser sends the header with a POST and a DELETE; a GET needs the id of a session.
  if (origin === null || allowsOrigin(c, origin)) return undefined;
  const host = headers.get("host") ?? "";
  const isOwn = /^https?:\/\//.test(origin) && origin.slice(origin.indexOf("//") + 2) === host;
  if (isOwn && isKnownHost(c, host)) return undefined;
  c.app.security.report(c, "csrf", { reason: isOwn ? "unknown-host" : "foreign-origin" });
  if (c.env !== "dev") return "This origin may not call";
  const fix = isOwn
    ? "add the host to config.allowedHosts (FW_ALLOWED_HOSTS)"
    : "list the origin in config.cors.origins, or in the CORS of the route";
  return `The Origin ${JSON.stringify(origin)} may not call the host ${
    JSON.stringify(host)
  }: ${fix}`;
}

/** With a list of hosts, every host that came this far is in it. */
function isKnownHost(c: Ctx, host: string): boolean {
  return c.app.config.allowedHosts.length > 0 ||
    /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
