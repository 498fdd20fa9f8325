import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { mail, mailButton } from "@fw/fw/mail";
import { accountMessages } from "./account_messages.ts";

/** The events about which the owner of an account is notified. */
export type AccountChange =
  // if passkeys
  | "passkeyAdded"
  | "passkeyRemoved"
  // end
  // if provider
  | "providerAdded"
  | "providerRemoved"
  // end
  | "emailAsked"
  | "passwordSet";

/** Notifies the owner of an account of a change that a thief may have made. */
export function sendNotice(c: Ctx, email: string | undefined, change: AccountChange): void {
  if (email === undefined) return;
  const body = h.fragment(
    h.p(c.t(accountMessages, change)),
    h.p(c.t(accountMessages, "notYou")),
    mailButton(c.href("/reset"), c.t(accountMessages, "reset")),
  );
  mail(c, { to: email, subject: c.t(accountMessages, "noticeSubject"), body })
    .catch((error) => c.log.error("a mail was not sent", { error }));
}

/** Says that a mail was sent; in development, with a link to it. */
export function mailSent(c: Ctx, text: "linkSent" | "resetSent"): Node {
  const outbox = `${c.base}/_fw/dev/mail`;
  return h.fragment(
    h.p(c.t(accountMessages, text)),
    c.env === "dev" && h.p(h.a(h.href(outbox), outbox)),
  );
}

/** Tells the user of a change, now and by mail. */
export function confirmChange(c: Ctx, email: string | undefined, change: AccountChange): void {
  sendNotice(c, email, change);
  c.flash("success", c.t(accountMessages, change));
}
