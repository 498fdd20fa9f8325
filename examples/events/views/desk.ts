import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { deskWords } from "@/lib/desk_words.ts";
import { site } from "@/lib/page_title.ts";
import { languageSwitch } from "./language_switch.ts";
import { siteMark } from "./site_mark.ts";

/** The frame of the pages for organisers. */
export function desk(c: Ctx, children: Node): Node {
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
      user: languageSwitch(c),
    },
    h.class("desk"),
    children,
  );
}
