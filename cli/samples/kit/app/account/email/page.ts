import { type Bound, type Ctx, type Infer, type Result, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sendEmailLink } from "../../../lib/account_links.ts";
import { accountMessages } from "../../../lib/account_messages.ts";
import { requireRecent } from "../../../lib/sessions.ts";

const Address = struct({ email: text("required,email,max=200") });
type Address = Infer<typeof Address>;

/** GET /account/email */
export async function Page(c: Ctx): Promise<Result> {
  await requireRecent(c);
  return form(c);
}

/** POST /account/email: mails a link to the new address, which must be confirmed. */
export async function POST(c: Ctx): Promise<Result> {
  const user = await requireRecent(c);
  const input = await c.tryBind(Address);
  if (!input.ok) {
    c.status(422);
    return form(c, input);
  }
  await sendEmailLink(c, input.value.email, user);
  c.flash("success", c.t(accountMessages, "linkSent"));
  return c.redirect(c.href("/account"));
}

function form(c: Ctx, input?: Bound<Address>): Result {
  c.title = c.t(accountMessages, "changeEmail");
  return ui.authCard(
    c.title,
    c.t(accountMessages, "changeEmailHelp"),
    ui.form(c, Address, {
      values: input,
      labels: { email: c.t(accountMessages, "newEmail") },
      fields: { email: { attributes: h.autocomplete("email") } },
      submit: ui.submit(ui.wide, c.t(accountMessages, "sendLink")),
    }),
    h.p(h.a(h.href(c.href("/account")), c.t(accountMessages, "account"))),
  );
}
