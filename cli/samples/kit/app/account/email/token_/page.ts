import { csrfInput, type Ctx, FieldErrors, httpError, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../../../lib/account_messages.ts";
import { Accounts } from "../../../../lib/accounts.ts";
import { sessions, signIn } from "../../../../lib/sessions.ts";

/** GET /account/email/{token}: only asks, because mail programs open links by themselves. */
export async function Page(c: Ctx<"/account/email/{token}">): Promise<Result> {
  const { subject } = await sessions.require(c);
  const email = await use(c, Accounts).links.find(c.param("token"), subject);
  if (email === undefined) throw httpError(410, c.t(accountMessages, "linkGone"));
  c.title = c.t(accountMessages, "confirmEmail");
  return ui.authCard(
    c.title,
    c.t(accountMessages, "confirmEmailHelp", { email }),
    h.form(
      h.method("post"),
      csrfInput(c),
      ui.submit(ui.wide, c.t(accountMessages, "confirmEmail")),
    ),
    h.p(h.a(h.href(c.href("/account")), c.t(accountMessages, "account"))),
  );
}

/**
 * POST /account/email/{token}: needs a session of the account, so that a link sent to a mistyped
 * address is useless.
 */
export async function POST(c: Ctx<"/account/email/{token}">): Promise<Result> {
  const { subject } = await sessions.require(c);
  const taken = new FieldErrors();
  const changed = await keep(taken, use(c, Accounts).changeEmail(subject, c.param("token")));
  if (changed === undefined) {
    const isTaken = taken.any();
    throw httpError(isTaken ? 409 : 410, c.t(accountMessages, isTaken ? "emailTaken" : "linkGone"));
  }
  // The sessions contain the old address, and one of them may be stolen.
  await sessions.endAll(c, changed.id);
  await signIn(c, changed);
  c.flash("success", c.t(accountMessages, "emailChanged"));
  return c.redirect(c.href("/account"));
}
