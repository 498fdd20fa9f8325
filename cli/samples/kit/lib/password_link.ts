import { type Ctx, use } from "@fw/fw";
import { accountMessages } from "./account_messages.ts";
import { Accounts } from "./accounts.ts";
import { Mail } from "./mail.ts";
import { originOf } from "./origin.ts";

/**
 * Mails a link that sets the password of an account, or makes the account. Does the same work and says
 * the same whether there is an account: only the mailbox learns it.
 */
export function sendPasswordLink(c: Ctx, email: string): void {
  const accounts = use(c, Accounts);
  const token = accounts.addLink(email);
  const hasAccount = accounts.findByEmail(email) !== undefined;
  if (token === undefined) return;
  const link = new URL(c.href("/password/{token}", { token }), originOf(c.app)).href;
  const text = hasAccount
    ? c.t(accountMessages, "mailSet", { link })
    : c.t(accountMessages, "mailMake", { link });
  const [subject, note] = [c.t(accountMessages, "mailSubject"), c.t(accountMessages, "mailNote")];
  // Not awaited: how long a mail takes would tell, too.
  use(c, Mail)({ to: email, subject, text: `${text}\n\n${note}` }).catch((error) => {
    accounts.dropLink(token);
    c.log.error("a mail was not sent", { error });
  });
}
