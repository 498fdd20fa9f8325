import type { Ctx, Result } from "@fw/fw";
import { auth, missing } from "../../../lib/auth.ts";

/**
 * GET /login/provider: redirects the browser to the identity provider.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Result> {
  if (missing.length > 0) c.log.warn("the provider will refuse this sign-in", { unset: missing });
  return await auth.start(c);
}
