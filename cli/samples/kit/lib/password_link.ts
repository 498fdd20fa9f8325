import { type Ctx, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { mail, mailButton } from "@fw/fw/mail";
import { accountMessages } from "./account_messages.ts";
import { Accounts } from "./accounts.ts";

/**
 * Mails a link that sets the password of an account, or makes the account. Does the same work and says
 * the same whether there is an account: only the mailbox learns it.
 */
export async function sendPasswordLink(c: Ctx, email: string): Promise<void> {
  const accounts = use(c, Accounts);
  const token = await accounts.addLink(email);
  const hasAccount = await accounts.findByEmail(email) !== undefined;
  if (token === undefined) return;
  const label = c.t(accountMessages, hasAccount ? "mailSet" : "mailMake");
  const body = h.fragment(
    mailButton(c.href("/password/{token}", { token }), label),
    h.p(c.t(accountMessages, "mailNote")),
  );
  // Not awaited: how long a mail takes would tell, too.
  mail(c, { to: email, subject: c.t(accountMessages, "mailSubject"), body }).catch(
    async (error) => {
      await accounts.dropLink(token);
      c.log.error("a mail was not sent", { error });
    },
  );
}
