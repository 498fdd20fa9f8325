import { csrfInput, type Ctx, type Node } from "@fw/fw";
import type { User } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { accountMessages } from "../lib/account_messages.ts";
import { pictureUrl } from "../lib/account_pictures.ts";
import { sessions } from "../lib/sessions.ts";

/** The foot of the side bar: the signed-in user or a link to sign in. */
export async function userMenu(c: Ctx): Promise<Node | undefined> {
  // An exported page is the same for all users.
  if (c.isExport) return undefined;
  let user: User | undefined;
  let src: string | undefined;
  try {
    user = await sessions.user(c);
    src = user && await pictureUrl(c, user);
  } catch (error) {
    // The error page uses this layout too, so it must not throw.
    c.log.error("the session was not read", { error });
    return undefined;
  }
  if (user === undefined) {
    return ui.navLink(
      c.href("/login"),
      [ui.icon("user"), c.t(accountMessages, "signIn")],
      c.pattern === "/login",
    );
  }
  const name = user.name ?? user.email ?? user.subject;
  return ui.userMenu(
    name,
    { avatar: ui.avatar(name, { src }, h.aria("hidden", "true")), detail: user.name && user.email },
    ui.menuLink(c.href("/account"), ui.icon("user"), c.t(accountMessages, "accountLink")),
    h.form(
      h.method("post"),
      h.action(c.href("/logout")),
      csrfInput(c),
      ui.menuButton(h.type("submit"), ui.icon("log-out"), c.t(accountMessages, "signOut")),
    ),
  );
}
