import { type Ctx, notFound, type Result, use } from "@fw/fw";
import { Provider } from "@/lib/sign_in.ts";

/**
 * GET /auth/callback: where the identity provider sends the browser back.
 *
 * openapi:response 303
 */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Provider)?.callback(c) ?? notFound("no identity provider is set");
}
