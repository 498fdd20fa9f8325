import { type Ctx, notFound, type Result } from "@fw/fw";
import { provider } from "@/lib/sign_in.ts";

/**
 * GET /auth/callback: where the identity provider sends the browser back.
 *
 * openapi:response 303
 */
export function GET(c: Ctx): Result | Promise<Result> {
  return provider?.callback(c) ?? notFound("no identity provider is set");
}
