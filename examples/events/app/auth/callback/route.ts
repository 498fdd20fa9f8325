import { type Ctx, notFound, type Result, use } from "@fw/fw";
import { Provider } from "@/lib/sign_in.ts";

/**
 * GET /auth/callback: completes the sign-in when the identity provider redirects back.
 *
 * openapi:response 303
 */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Provider)?.callback(c) ?? notFound("no identity provider is set");
}
