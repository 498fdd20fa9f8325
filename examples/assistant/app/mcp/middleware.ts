import { equalSecrets } from "@fw/fw/addon";
import { type Ctx, httpError, type Next, type Result } from "@fw/fw";

/** The headers with which a proxy says for whom it asks. */
const forwardingHeaders = ["x-forwarded-for", "forwarded", "via", "x-real-ip", "x-forwarded-host"];

/**
 * Lets in who shows the key of `FW_MCP_KEY`; without one, only programs on this machine, and only in
 * development. The tools only read what everybody may see, and still: a route for programs is guarded like
 * any other.
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
  // Behind a proxy on this machine every client has its address, and not every proxy adds a header.
  if (env !== "dev" || forwardingHeaders.some((name) => request.headers.has(name))) return false;
  // Behind a socket there is no address: the caller is not known to be on this machine.
  return clientIp === "127.0.0.1" || clientIp === "::1";
}
