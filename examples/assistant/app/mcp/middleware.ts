import { equalSecrets } from "@fw/fw/addon";
import { type Ctx, httpError, type Next, type Result } from "@fw/fw";

/**
 * Lets in who shows the key of `FW_MCP_KEY`; without one, only programs on this machine. The tools only read
 * what everybody may see, and still: a route for programs is guarded like any other.
 */
export function Middleware(c: Ctx, next: Next): Result | Promise<Result> {
  const key = Deno.env.get("FW_MCP_KEY") ?? "";
  const shown = c.request.headers.get("authorization") ?? "";
  const isAllowed = key === "" ? isLocal(c.clientIp) : equalSecrets(shown, `Bearer ${key}`);
  if (isAllowed) return next();
  return httpError(401, "show the key of FW_MCP_KEY as a bearer token", {
    headers: { "www-authenticate": "Bearer" },
  });
}

function isLocal(ip: string | undefined): boolean {
  // Behind a socket there is no address: the caller is not known to be on this machine.
  return ip === "127.0.0.1" || ip === "::1";
}
