import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { deskWords } from "@/lib/desk_words.ts";
import { site } from "@/lib/page_title.ts";
import { sessions } from "@/lib/sign_in.ts";
import { languageSwitch } from "./language_switch.ts";
import { siteMark } from "./site_mark.ts";

/** Renders the layout of the organisers' pages. */
export async function desk(c: Ctx, children: Node): Promise<Node> {
  const items: ui.NavItem[] = [
    { label: c.t(deskWords, "schedule"), href: c.href("/organize"), icon: "calendar" },
    { label: c.t(deskWords, "newEvent"), href: c.href("/organize/events/new"), icon: "plus" },
    { label: c.t(deskWords, "venues"), href: c.href("/organize/venues"), icon: "home" },
    { label: c.t(deskWords, "account"), href: c.href("/organize/account"), icon: "user" },
  ];
  return ui.shell(
    c,
    {
      brand: site,
      home: c.href("/"),
      mark: siteMark(),
      nav: [{ label: c.t(deskWords, "organisers"), items }],
      user: [languageSwitch(c), await userMenu(c)],
    },
    h.class("desk"),
    children,
  );
}

/** Renders the signed-in user and the sign-out button. */
async function userMenu(c: Ctx): Promise<Node | undefined> {
  // The error page for unreadable sessions has this layout too.
  const user = await sessions.user(c).catch(() => undefined);
  if (user === undefined) return undefined;
  const { email, name = email?.split("@")[0] ?? user.subject } = user;
  return ui.userMenu(
    name,
    { avatar: ui.avatar(name, {}, h.aria("hidden", "true")), detail: email },
    ui.menuLink(c.href("/organize/account"), ui.icon("user"), c.t(deskWords, "account")),
    h.form(
      h.method("post"),
      h.action(c.href("/logout")),
      csrfInput(c),
      ui.menuButton(h.type("submit"), ui.icon("log-out"), c.t(deskWords, "signOut")),
    ),
  );
}
