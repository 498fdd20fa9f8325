import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../../lib/account_messages.ts";
import { auth } from "../../lib/auth.ts";

/** GET /account */
export async function Page(c: Ctx): Promise<Node> {
  const user = await auth.require(c);
  c.title = c.t(accountMessages, "account");
  return h.fragment(
    ui.pageHeader(c.title),
    h.p(c.t(accountMessages, "signedInAs", { user: user.name ?? user.email ?? user.subject })),
    ui.form(
      h.method("post"),
      h.action(c.href("/logout")),
      csrfInput(c),
      ui.submit(c.t(accountMessages, "signOut")),
    ),
  );
}
