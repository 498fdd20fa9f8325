import type { Ctx, Next } from "@fw/fw";
import { changedBy } from "@fw/fw/data";
import { sessions } from "../../lib/sessions.ts";

// Signed-in users alone; for those with a role: sessions.requireRole("editor")(c).
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const { name, email, subject } = await sessions.require(c);
  return await changedBy(name ?? email ?? subject, next);
}
