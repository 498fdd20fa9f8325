import { type Bound, type Ctx, type Infer, type Node, type Result, struct, text } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { sendPasswordLink } from "../../../lib/account_links.ts";
import { userMessages } from "../../../lib/user_messages.ts";

const Invitation = struct({ email: text("required,email,max=200") });
type Invitation = Infer<typeof Invitation>;

/** GET /users/new */
export function Page(c: Ctx): Node {
  return form(c);
}

/** POST /users/new: mails the link of the sign-up, which creates the account. */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(Invitation);
  if (!input.ok) return form(c, input);
  const { email } = input.value;
  const isSent = await sendPasswordLink(c, email);
  c.flash(isSent ? "success" : "error", c.t(userMessages, isSent ? "sent" : "tooMany", { email }));
  return c.redirect(c.href("/users"));
}

function form(c: Ctx, sent?: Bound<Invitation>): Node {
  c.title = c.t(userMessages, "invite");
  return ui.formPage(c, Invitation, {
    title: c.title,
    text: c.t(userMessages, "inviteHelp"),
    cancel: c.href("/users"),
    values: sent,
    labels: { email: c.t(userMessages, "email") },
    submit: c.t(userMessages, "send"),
  });
}
