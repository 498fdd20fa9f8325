import { type Bound, type Ctx, type Infer, type Node, type Result, struct, text } from "@fw/fw";
import { nextPath } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../lib/account_messages.ts";
import { mailSent } from "../../lib/account_mail.ts";
import { sendPasswordLink } from "../../lib/account_links.ts";
import { afterLogin, sessions } from "../../lib/sessions.ts";

const Address = struct({ email: text("required,email,max=200") });
type Address = Infer<typeof Address>;

/** GET /signup */
export async function Page(c: Ctx): Promise<Result> {
  if (await sessions.user(c) !== undefined) {
    return c.redirect(nextPath(c, { fallback: afterLogin }));
  }
  if (c.query("sent") === "1") return view(c, mailSent(c, "linkSent"));
  return form(c);
}

/** POST /signup: mails a link that creates the account and so proves the address. */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Address);
  if (!input.ok) {
    c.status(422);
    return form(c, input);
  }
  await sendPasswordLink(c, input.value.email);
  return c.redirect(`${c.href("/signup")}?sent=1`);
}

function form(c: Ctx, input?: Bound<Address>): Result {
  const form = ui.form(c, Address, {
    values: input,
    labels: { email: c.t(accountMessages, "email") },
    fields: { email: { attributes: h.autocomplete("username") } },
    submit: ui.submit(ui.wide, c.t(accountMessages, "sendLink")),
  });
  return view(c, form, c.t(accountMessages, "signUpHelp"));
}

function view(c: Ctx, content: Node, text?: string): Node {
  c.title = c.t(accountMessages, "signUp");
  return ui.authCard(
    c.title,
    text,
    content,
    h.p(
      c.t(accountMessages, "haveAccount"),
      " ",
      h.a(h.href(c.href("/login")), c.t(accountMessages, "signIn")),
    ),
  );
}
