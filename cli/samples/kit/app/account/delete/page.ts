import { type Ctx, FieldErrors, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../../lib/account_messages.ts";
import { Accounts } from "../../../lib/accounts.ts";
import { auth } from "../../../lib/auth.ts";
import { Database } from "../../../lib/database.ts";
import { requireRecent, sessions } from "../../../lib/sessions.ts";
import { userMessages } from "../../../lib/user_messages.ts";
import { UserStore } from "../../../lib/users.ts";

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
  const user = await requireRecent(c);
  // if users
  const store = new UserStore(use(c, Database), use(c, Accounts));
  // end
  // Other rows may refer to the account.
  const isGone = await keep(new FieldErrors(), store.delete(Number(user.id)));
  // if users
  if (isGone === false) {
    c.flash("error", c.t(userMessages, "last"));
    return c.redirect(c.href("/account"));
  }
  // end
  if (!isGone) {
    c.flash("error", c.t(accountMessages, "accountInUse"));
    return c.redirect(c.href("/account"));
  }
  // if provider
  // Signing in again would create a new account, so the user signs out at the provider too.
  if (user.provider !== "") return await auth.logout(c);
  // end
  await sessions.end(c);
  c.flash("success", c.t(accountMessages, "accountDeleted"));
  return c.redirect(c.href("/login"));
}
