import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../lib/sessions.ts";

// All clients see the rows. Only users with the role change them and see deleted ones.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const isWrite = !["GET", "HEAD"].includes(c.method) ||
    /\/(?:new|import|edit|delete)$/.test(c.pattern);
  if (!isWrite && !c.url.searchParams.getAll("deleted").some(Boolean)) return await next();
  const { email, id } = await sessions.requireRole("librarian")(c);
  // Sets the author in the history. Names would not do, because two users may share one.
  return await changedBy(email ?? `#${id}`, next);
}
