import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../lib/sessions.ts";

// Signed-in users alone. For a role, write sessions.requireRole("editor")(c) here, and ask for it in
// app/nav.ts and app/page.ts too.
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { email, subject } = await sessions.require(c);
  // if writer
  // What changes rows, and the forms for it.
  if (!["GET", "HEAD"].includes(c.method) || /\/(?:new|import|edit|delete)$/.test(c.pattern)) {
    await sessions.requireRole("librarian")(c);
  }
  // end
  // The history has its authors from here alone. The name would not do: two users may have the same.
  return await changedBy(email ?? subject, next);
}
