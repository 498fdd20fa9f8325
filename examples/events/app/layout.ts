import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Description } from "@/lib/page_meta.ts";
import { alternateLinks } from "@fw/fw/i18n";
import { messages } from "@/lib/messages.ts";
import { documentTitle, site } from "@/lib/page_title.ts";
import { desk } from "@/views/desk.ts";
import { frieze } from "@/views/frieze.ts";
import { languageSwitch } from "@/views/language_switch.ts";
import { siteMark } from "@/views/site_mark.ts";

/** Renders the document around every page. */
export async function Layout(c: Ctx, children: Node): Promise<Node> {
  const isDesk = c.pattern.startsWith("/organize");
  return h.html(
    h.lang(c.language),
    ui.theme(c),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.title(documentTitle(c)),
      h.meta(h.name("description"), h.content(c.get(Description) ?? c.t(messages, "description"))),
      alternateLinks(c),
      h.link(h.rel("icon"), h.href(c.asset("/favicon.svg")), h.type("image/svg+xml")),
      ui.head(c),
      h.link(h.rel("stylesheet"), h.href(c.asset("/style.css"))),
      !c.isExport && h.script(h.type("module"), h.src(c.asset("/list.js"))),
    ),
    h.body(
      ui.body(),
      // Links load their page into `main` and prefetch it on hover.
      !isDesk && ui.navigate("content"),
      isDesk ? await desk(c, children) : siteFrame(c, children),
    ),
  );
}

/** Renders the header and footer of the public pages. */
function siteFrame(c: Ctx, children: Node): Node {
  return h.fragment(
    ui.skipLink("content", c.t(messages, "skip")),
    frieze("tiles-above"),
    siteHeader(c),
    // Above the content, because without JavaScript the messages are part of the page.
    ui.flashes(c),
    h.main(h.id("content"), ui.container(children)),
    siteFooter(c),
  );
}

function siteHeader(c: Ctx): Node {
  return ui.header(
    ui.brand(c.href("/"), site, siteMark()),
    ui.spacer(),
    ui.nav(
      navLink(c, { href: c.href("/events"), label: c.t(messages, "allEvents"), at: "/events" }),
      navLink(c, { href: c.href("/about"), label: c.t(messages, "about"), at: "/about" }),
      // The organisers' pages have another layout.
      !c.isExport &&
        ui.navLink(c.href("/organize"), c.t(messages, "organise"), undefined, ui.noNavigate()),
    ),
    languageSwitch(c),
    ui.themeToggle(),
  );
}

/** Renders a link that is marked if it leads to the current page or a parent of it. */
function navLink(
  c: Ctx,
  link: { readonly href: string; readonly label: string; readonly at: string },
): Node {
  const isBelow = c.pattern.startsWith(`${link.at}/`);
  return ui.navLink(
    link.href,
    link.label,
    c.pattern === link.at,
    isBelow && h.aria("current", "true"),
  );
}

function siteFooter(c: Ctx): Node {
  return h.fragment(
    frieze("tiles-below"),
    ui.footer(
      h.p(h.class("footer-mark"), siteMark(), c.t(messages, "footerMark")),
      footerText(c),
      h.ul(
        h.li(h.a(h.href(c.href("/events")), c.t(messages, "allEvents"))),
        h.li(h.a(h.href(c.href("/about")), c.t(messages, "about"))),
        !c.isExport &&
          h.li(h.a(h.href(c.href("/api/events")), ui.noNavigate(), "JSON API")),
      ),
    ),
  );
}

/** Renders the sentence with the framework's name in bold. */
function footerText(c: Ctx): Node {
  const mark = "\u0000";
  const [before = "", after = ""] = c.t(messages, "footerText", { fw: mark }).split(mark);
  return h.p(before, h.strong("fw"), after);
}
