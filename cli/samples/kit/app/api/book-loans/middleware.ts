import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../../lib/sessions.ts";

// Only for signed-in users. For a role, write sessions.requireRole("editor")(c) here, and check it
// in app/nav.ts and app/page.ts too.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  // if writer
  const isWrite = !["GET", "HEAD"].includes(c.method);
  // end
  const { email, id } = await sessions.require(c);
  // if writer
  if (isWrite) await sessions.requireRole("librarian")(c);
  // end
  // Sets the author in the history. Names would not do, because two users may share one.
  return await changedBy(email ?? `#${id}`, next);
}
