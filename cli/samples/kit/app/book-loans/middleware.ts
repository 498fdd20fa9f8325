import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../lib/sessions.ts";

// The guard of the rows. If you change it, change app/nav.ts, app/page.ts and views/ too.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { email, id } = await sessions.require(c);
  // if role:
  await sessions.requireRole("clerk")(c);
  // if writer
  const isWrite = !["GET", "HEAD"].includes(c.method) ||
    /\/(?:new|import|edit|delete)$/.test(c.pattern);
  if (isWrite) await sessions.requireRole("librarian")(c);
  // end
  // Sets the author in the history. Names would not do, because two users may share one.
  return await changedBy(email ?? `#${id}`, next);
}
