import { type Ctx, KindPage, type Result } from "@fw/fw";
import { sendNotice } from "../../../lib/account_mail.ts";
import { keys } from "../../../lib/passkeys.ts";
import { sessions } from "../../../lib/sessions.ts";

// A page's route: the CSRF token is checked.
export const Kind = KindPage;

const handlers = keys.registerHandlers(sessions);

/**
 * GET /account/passkeys, for the page's script
 *
 * openapi:omit
 */
export const { GET } = handlers;

/**
 * POST /account/passkeys, which notifies the owner by mail.
 *
 * openapi:omit
 */
export async function POST(c: Ctx): Promise<Result> {
  const { email } = await sessions.require(c);
  const result = await handlers.POST(c);
  if (result instanceof Response) sendNotice(c, email, "passkeyAdded");
  return result;
}
