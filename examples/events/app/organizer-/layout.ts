import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { deskWords } from "@/lib/desk_words.ts";

/** The frame of the pages for organisers, inside the frame of the site. */
export function Layout(c: Ctx, children: Node): Node {
  return h.div(
    h.class("desk"),
    ui.shell(
      ui.sidebar(
        h.aria("label", c.t(deskWords, "organisers")),
        ui.sidebarGroup(
          c.t(deskWords, "organisers"),
          tab(c, { href: c.href("/organize"), label: c.t(deskWords, "schedule") }),
          tab(c, { href: c.href("/organize/events/new"), label: c.t(deskWords, "newEvent") }),
          tab(c, { href: c.href("/organize/venues"), label: c.t(deskWords, "venues") }),
          tab(c, { href: c.href("/organize/account"), label: c.t(deskWords, "account") }),
        ),
      ),
      children,
    ),
  );
}

function tab(c: Ctx, link: { readonly href: string; readonly label: string }): Node {
  return ui.navLink(link.href, link.label, link.href.endsWith(c.pattern));
}
