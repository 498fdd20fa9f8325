import { type Ctx, use } from "@fw/fw";
import { accountMessages } from "./account_messages.ts";
import { Mail } from "./mail.ts";
import { originOf } from "./origin.ts";

/** What the owner of an account is told of. */
export type AccountChange =
  // if passkeys
  | "passkeyAdded"
  | "passkeyRemoved"
  // end
  | "passwordSet";

/** Tells the owner of an account of a change, which a thief may have made. */
export function sendNotice(c: Ctx, email: string | undefined, change: AccountChange): void {
  if (email === undefined) return;
  const link = new URL(c.href("/reset"), originOf(c.app)).href;
  const text = `${c.t(accountMessages, change)}\n\n${c.t(accountMessages, "notYou", { link })}`;
  const subject = c.t(accountMessages, "noticeSubject");
  use(c, Mail)({ to: email, subject, text })
    .catch((error) => c.log.error("a mail was not sent", { error }));
}
