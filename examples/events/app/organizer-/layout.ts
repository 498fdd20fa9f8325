import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** The frame of the pages for organisers, inside the frame of the site. */
export function Layout(c: Ctx, children: Node): Node {
  return h.div(
    h.class("desk"),
    h.nav(
      h.class("desk-nav"),
      h.aria("label", "Organisers"),
      h.p(h.class("kicker"), "Organisers"),
      h.ul(
        h.li(tab(c, { href: c.href("/organize"), label: "Schedule" })),
        h.li(tab(c, { href: c.href("/organize/events/new"), label: "New event" })),
        h.li(tab(c, { href: c.href("/organize/venues"), label: "Venues" })),
      ),
    ),
    h.div(h.class("desk-main"), children),
  );
}

function tab(c: Ctx, link: { readonly href: string; readonly label: string }): Node {
  const isCurrent = c.base + c.pattern === link.href;
  return h.a(h.href(link.href), isCurrent && h.aria("current", "page"), link.label);
}
