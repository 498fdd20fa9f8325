import { type Bound, type Ctx, type Infer, type Node, type Result, struct, text } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../lib/account_messages.ts";
import { mailSent } from "../../lib/account_mail.ts";
import { sendPasswordLink } from "../../lib/account_links.ts";

const Address = struct({ email: text("required,email,max=200") });
type Address = Infer<typeof Address>;

/** GET /reset */
export function Page(c: Ctx): Result {
  if (c.query("sent") === "1") return view(c, mailSent(c, "resetSent"));
  return form(c);
}

/** POST /reset: responds the same with and without an account. */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Address);
  if (!input.ok) {
    c.status(422);
    return form(c, input);
  }
  await sendPasswordLink(c, input.value.email);
  return c.redirect(`${c.href("/reset")}?sent=1`);
}

function form(c: Ctx, input?: Bound<Address>): Result {
  const form = ui.form(c, Address, {
    values: input,
    labels: { email: c.t(accountMessages, "email") },
    fields: { email: { attributes: h.autocomplete("username") } },
    submit: ui.submit(ui.wide, c.t(accountMessages, "sendLink")),
  });
  return view(c, form, c.t(accountMessages, "resetHelp"));
}

function view(c: Ctx, content: Node, text?: string): Node {
  c.title = c.t(accountMessages, "reset");
  return ui.authCard(
    c.title,
    text,
    content,
    h.p(h.a(h.href(c.href("/login")), c.t(accountMessages, "signIn"))),
  );
}
