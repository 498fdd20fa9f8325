import { type Ctx, use } from "@fw/fw";
import type { User } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import { mail, mailButton } from "@fw/fw/mail";
import { sendNotice } from "./account_mail.ts";
import { accountMessages } from "./account_messages.ts";
import { Accounts } from "./accounts.ts";

/**
 * Mails a link that sets the password of an account or creates the account. The response does not
 * depend on whether the account exists: only the mail tells.
 *
 * @returns `false` if the address has too many links.
 */
export async function sendPasswordLink(c: Ctx, email: string): Promise<boolean> {
  const accounts = use(c, Accounts);
  const token = await accounts.links.add(email);
  const hasAccount = await accounts.findByEmail(email) !== undefined;
  if (token === undefined) return false;
  const label = c.t(accountMessages, hasAccount ? "mailSet" : "mailMake");
  sendLink(c, email, { token, label, href: c.href("/password/{token}", { token }) });
  return true;
}

/**
 * Mails a link that changes the address of an account, and notifies the present address. The
 * response does not depend on whether the new address has an account.
 */
export async function sendEmailLink(c: Ctx, email: string, user: User): Promise<void> {
  const token = await use(c, Accounts).links.add(email, user.subject);
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
  // In lower case like the link's address: "\u212a" and "k", its lower case, may be two mailboxes.
  const to = email.toLowerCase();
  // Not awaited, because the duration would reveal whether a mail is sent.
  mail(c, { to, subject: c.t(accountMessages, "mailSubject"), body }).catch(
    async (error) => {
      await use(c, Accounts).links.drop(token);
      c.log.error("a mail was not sent", { error });
    },
  );
}
