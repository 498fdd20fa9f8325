import { KindPage, use } from "@fw/fw";
import { Accounts } from "../../../lib/accounts.ts";
import { keys } from "../../../lib/passkeys.ts";
import { afterLogin, sessions } from "../../../lib/sessions.ts";

// A page's route: the CSRF token is checked.
export const Kind = KindPage;

/**
 * GET and POST /login/passkey, for the page's script
 *
 * openapi:omit
 */
export const { GET, POST } = keys.signInHandlers(sessions, async (c, subject) => {
  const accounts = use(c, Accounts);
  const account = await accounts.find(subject);
  if (account === undefined) return undefined;
  const { email, name, roles } = account;
  const isCurrent = (): Promise<boolean> => accounts.isCurrent(account);
  return { subject, email, name: name || undefined, roles, isCurrent };
}, { fallback: afterLogin });
