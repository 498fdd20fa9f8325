import { type Ctx, FieldErrors, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../../lib/account_messages.ts";
import { Accounts } from "../../../lib/accounts.ts";
import { requireRecent, sessions } from "../../../lib/sessions.ts";

/** GET /account/delete */
export async function Page(c: Ctx): Promise<Result> {
  await requireRecent(c);
  c.title = c.t(accountMessages, "deleteAccount");
  return ui.askPage(c, {
    title: c.title,
    text: c.t(accountMessages, "deleteHelp"),
    cancel: c.href("/account"),
    submit: c.t(accountMessages, "deleteNow"),
  });
}

/** POST /account/delete */
export async function POST(c: Ctx): Promise<Result> {
  const { subject, provider } = await requireRecent(c);
  // Users of an identity provider have no account here. Other rows may refer to the account.
  if (provider !== "" || !await keep(new FieldErrors(), use(c, Accounts).remove(subject))) {
    c.flash("error", c.t(accountMessages, "accountInUse"));
    return c.redirect(c.href("/account"));
  }
  await sessions.end(c);
  c.flash("success", c.t(accountMessages, "accountDeleted"));
  return c.redirect(c.href("/login"));
}
