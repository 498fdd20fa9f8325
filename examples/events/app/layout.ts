import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { Description } from "@/lib/page_meta.ts";
import { flashes } from "@/views/flashes.ts";
import { siteMark } from "@/views/site_mark.ts";

const site = "Miradouro";
const defaultDescription =
  "What is on in Lisbon: concerts, plays, films, walks and workshops for the weeks to come.";

/** The frame of every page. */
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.title(c.title === "" ? `${site}: what is on in Lisbon` : `${c.title} · ${site}`),
      h.meta(h.name("description"), h.content(c.get(Description) ?? defaultDescription)),
      h.meta(h.name("color-scheme"), h.content("light dark")),
      h.link(h.rel("icon"), h.href(c.asset("/favicon.svg")), h.type("image/svg+xml")),
      h.link(h.rel("stylesheet"), h.href(c.asset("/style.css"))),
    ),
    h.body(
      h.a(h.class("skip"), h.href("#content"), "Skip to content"),
      siteHeader(c),
      h.main(h.id("content"), h.class("wrap"), flashes(c), children),
      siteFooter(c),
    ),
  );
}

function siteHeader(c: Ctx): Node {
  return h.header(
    h.class("site-header"),
    h.div(
      h.class("wrap"),
      h.a(h.class("brand"), h.href(c.href("/")), siteMark(), site),
      h.nav(
        h.aria("label", "Main"),
        navLink(c, { href: c.href("/events"), label: "All events", at: "/events" }),
        navLink(c, { href: c.href("/about"), label: "About", at: "/about" }),
        !c.isExport &&
          navLink(c, { href: c.href("/organize"), label: "Organise", at: "/organize" }),
      ),
    ),
  );
}

/** A link that tells whether the page is it, or below it. */
function navLink(
  c: Ctx,
  link: { readonly href: string; readonly label: string; readonly at: string },
): Node {
  const current = c.pattern === link.at ? "page" : c.pattern.startsWith(`${link.at}/`) && "true";
  return h.a(h.href(link.href), current && h.aria("current", current), link.label);
}

function siteFooter(c: Ctx): Node {
  return h.footer(
    h.class("site-footer"),
    h.div(
      h.class("wrap"),
      h.p(h.class("footer-mark"), siteMark(), "A place to look out over the city."),
      h.p(
        "The venues and events are made up; the neighbourhoods are not. Served by ",
        h.strong("fw"),
        " on Deno, from SQLite. Every page is whole without client-side JavaScript.",
      ),
      h.ul(
        h.li(h.a(h.href(c.href("/events")), "All events")),
        h.li(h.a(h.href(c.href("/about")), "About")),
        !c.isExport && h.li(h.a(h.href(c.href("/api/events")), "JSON API")),
      ),
    ),
  );
}
