import { equalSecrets } from "@fw/fw/addon";
import { type Ctx, httpError, type Next, type Result } from "@fw/fw";

/** Headers with which proxies forward a client's address. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"];

/**
 * Admits clients with the key of `FW_MCP_KEY`. If no key is set, it admits only clients on this
 * machine, and only in development. The tools only read public data, but a route for programs
 * should be guarded like any other.
 */
export function Middleware(c: Ctx, next: Next): Result | Promise<Result> {
  const key = Deno.env.get("FW_MCP_KEY") ?? "";
  const shown = c.request.headers.get("authorization") ?? "";
  const isAllowed = key === "" ? isLocal(c) : equalSecrets(shown, `Bearer ${key}`);
  if (isAllowed) return next();
  return httpError(401, "show the key of FW_MCP_KEY as a bearer token", {
    headers: { "www-authenticate": "Bearer" },
  });
}

function isLocal({ env, clientIp, request }: Ctx): boolean {
  // Behind a local proxy every client has the proxy's address, and not every proxy adds a header.
  if (env !== "dev" || forwardingHeaders.some((name) => request.headers.has(name))) return false;
  // Behind a Unix socket there is no address, so the client may not be local.
  return clientIp === "127.0.0.1" || clientIp === "::1";
}
