import { type Ctx, KindPage, type Result } from "@fw/fw";
import { auth } from "../../lib/auth.ts";
import { sessions } from "../../lib/sessions.ts";

// A page's route: the CSRF token is checked, so that no other site can sign a user out.
export const Kind = KindPage;

/**
 * POST /logout
 *
 * openapi:omit
 */
export async function POST(c: Ctx): Promise<Result> {
  // if provider
  // Users of the identity provider sign out there too.
  if ((await sessions.user(c))?.provider !== "") return await auth.logout(c);
  // end
  await sessions.end(c);
  return c.redirect(c.href("/login"));
}
