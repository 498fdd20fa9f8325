import { type Ctx, KindPage, use } from "@fw/fw";
import type { SignIn } from "@fw/fw/auth";
import { Accounts } from "../../../lib/accounts.ts";
import { keys } from "../../../lib/passkeys.ts";
import { sessions } from "../../../lib/sessions.ts";

// A page's route: the CSRF token is checked.
export const Kind = KindPage;

/**
 * GET and POST /login/passkey, for the page's script
 *
 * openapi:omit
 */
export const { GET, POST } = keys.signInHandlers(sessions, findUser, { fallback: "/account" });

async function findUser(c: Ctx, subject: string): Promise<SignIn | undefined> {
  const account = await use(c, Accounts).find(subject);
  return account && { subject, email: account.email, roles: account.roles };
}
