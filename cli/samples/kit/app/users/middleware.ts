import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { requireRecent, sessions } from "../../lib/sessions.ts";

// The navigation checks the role too.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  // First, because a form may arrive slowly, after its sender has lost the role.
  if (c.method === "POST") await c.formErr();
  const { email, id } = await sessions.requireRole("admin")(c);
  return await changedBy(email ?? `#${id}`, next);
}

/** A role outlives a stolen session, so changes need a recent sign-in. */
export const MiddlewarePOST = requireRecent;
