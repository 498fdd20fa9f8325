import { type Ctx, KindPage, type Result, use } from "@fw/fw";
import { Provider, sessions } from "@/lib/sign_in.ts";

// As for pages, the CSRF token is checked, so that no other site can sign an organiser out.
export const Kind = KindPage;

/** POST /logout: signs out, also at the identity provider if the session came from one. */
export async function POST(c: Ctx): Promise<Result> {
  const provider = use(c, Provider);
  if (provider !== undefined) return await provider.logout(c);
  await sessions.end(c);
  return c.redirect(c.href("/"));
}
