import { type Ctx, limit, type Next, notFound } from "@fw/fw";
import { sessions } from "../../../lib/sessions.ts";

export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { provider } = await sessions.require(c);
  // Users of an identity provider change their address there.
  if (provider !== "") throw notFound();
  return await next();
}

// Each request sends two mails. Per client: five at once, then one every 50 seconds.
export const MiddlewarePOST = limit(0.02, 5);
