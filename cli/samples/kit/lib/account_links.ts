import { type Ctx, use } from "@fw/fw";
import type { User } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import { mail, mailButton } from "@fw/fw/mail";
import { sendNotice } from "./account_mail.ts";
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
  sendLink(c, email, { token, label, href: c.href("/password/{token}", { token }) });
}

/**
 * Mails a link that gives an account another address, and tells the present one. Says the same whether
 * the other address has an account.
 */
export async function sendEmailLink(c: Ctx, email: string, user: User): Promise<void> {
  const token = await use(c, Accounts).addLink(email, user.subject);
  if (token === undefined) return;
  sendNotice(c, user.email, "emailAsked");
  const label = c.t(accountMessages, "confirmEmail");
  sendLink(c, email, { token, label, href: c.href("/account/email/{token}", { token }) });
}

function sendLink(
  c: Ctx,
  email: string,
  { token, label, href }: {
    readonly token: string;
    readonly label: string;
    readonly href: string;
  },
): void {
  const body = h.fragment(mailButton(href, label), h.p(c.t(accountMessages, "mailNote")));
  // To the address that the link is for: "\u212a" may name another mailbox than "k", its lower case.
  const to = email.toLowerCase();
  // Not awaited: how long a mail takes would tell, too.
  mail(c, { to, subject: c.t(accountMessages, "mailSubject"), body }).catch(
    async (error) => {
      await use(c, Accounts).dropLink(token);
      c.log.error("a mail was not sent", { error });
    },
  );
}
