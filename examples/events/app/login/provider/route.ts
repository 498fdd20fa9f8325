import { type Ctx, notFound, type Result, use } from "@fw/fw";
import { Provider } from "@/lib/sign_in.ts";

/**
 * GET /login/provider: redirects the browser to the identity provider.
 *
 * openapi:response 302
 */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Provider)?.start(c) ?? notFound("no identity provider is set");
}
