import type { Ctx, Next } from "@fw/fw";
import { sessions } from "../../lib/sessions.ts";

// if guard:
// The guard of the rows. If you change it, change app/nav.ts, app/page.ts and views/ too.
// if no guard:
// All clients see the rows, and only users with the role change them.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  // if guard
  // if role:
  await sessions.requireRole("clerk")(c);
  // if no role:
  await sessions.require(c);
  // end
  const isWrite = !["GET", "HEAD"].includes(c.method) ||
    /\/(?:new|import|edit|delete)$/.test(c.pattern);
  if (isWrite) await sessions.requireRole("librarian")(c);
  return await next();
}
