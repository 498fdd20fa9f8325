import { type Ctx, limit, type Next, notFound } from "@fw/fw";
import { sessions } from "../../../lib/sessions.ts";

export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { provider } = await sessions.require(c);
  // Users of a provider have their address there.
  if (provider !== "") throw notFound();
  return await next();
}

// Each request is two mails: five at once, then one every 50 seconds for each client.
export const MiddlewarePOST = limit(0.02, 5);
