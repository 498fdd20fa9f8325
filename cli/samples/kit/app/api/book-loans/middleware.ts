import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../../lib/sessions.ts";

// Signed-in users alone; for those with a role: sessions.requireRole("editor")(c).
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { email, subject } = await sessions.require(c);
  // Not the name, which users choose: two may have the same.
  return await changedBy(email ?? subject, next);
}
