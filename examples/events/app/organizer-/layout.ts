import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** The frame of the pages for organisers, inside the frame of the site. */
export function Layout(c: Ctx, children: Node): Node {
  return h.div(
    h.class("desk"),
    ui.shell(
      ui.sidebar(
        h.aria("label", "Organisers"),
        ui.sidebarGroup(
          "Organisers",
          tab(c, { href: c.href("/organize"), label: "Schedule" }),
          tab(c, { href: c.href("/organize/events/new"), label: "New event" }),
          tab(c, { href: c.href("/organize/venues"), label: "Venues" }),
          tab(c, { href: c.href("/organize/account"), label: "Your account" }),
        ),
      ),
      children,
    ),
  );
}

function tab(c: Ctx, link: { readonly href: string; readonly label: string }): Node {
  return ui.navLink(link.href, link.label, c.base + c.pattern === link.href);
}
