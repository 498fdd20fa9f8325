import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sections } from "@/sections/mod.ts";

const site = "fw ui";

/** The frame of every page. */
export function Layout(c: Ctx, children: Node): Node {
  const isScreen = c.pattern.startsWith("/screens/");
  return h.html(
    h.lang(c.language),
    h.dir(c.query("dir") === "rtl" ? "rtl" : "ltr"),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.title(c.title === "" ? "fw ui: the component kit" : `${c.title} · ${site}`),
      h.meta(h.name("description"), h.content("Every component of the kit, with its code.")),
      h.link(h.rel("icon"), h.href(c.asset("/favicon.svg")), h.type("image/svg+xml")),
      ui.head(c),
      h.link(h.rel("stylesheet"), h.href(c.asset("/gallery.css"))),
      h.script(h.type("module"), h.src(c.asset("/gallery.js"))),
    ),
    h.body(
      ui.body(),
      ui.skipLink("content", "Skip to content"),
      siteHeader(c),
      ui.flashes(c),
      isScreen ? h.main(h.id("content"), children) : ui.shell(
        siteSidebar(c),
        h.main(h.id("content"), ui.container(c.pattern !== "/" && h.class("sheet"), children)),
      ),
    ),
  );
}

function siteHeader(c: Ctx): Node {
  const isRtl = c.query("dir") === "rtl";
  return ui.header(
    h.class("site-header"),
    ui.brand(c.href("/"), site),
    ui.nav(
      ui.navLink(c.href("/"), "Components", !c.pattern.startsWith("/screens/")),
      ui.navLink(c.href("/screens/orders"), "Orders", c.pattern === "/screens/orders"),
      ui.navLink(c.href("/screens/sign-in"), "Sign in", c.pattern === "/screens/sign-in"),
    ),
    ui.spacer(),
    ui.buttonLink(
      isRtl ? "?dir=ltr" : "?dir=rtl",
      ui.ghost,
      ui.small,
      ui.tooltip("Turn the direction of writing"),
      h.bool("data-gallery-dir"),
      isRtl ? "LTR" : "RTL",
    ),
    ui.themeToggle(),
  );
}

function siteSidebar(c: Ctx): Node {
  const name = c.pattern === "/components/{name}" ? c.param("name") : undefined;
  return ui.sidebar(
    ui.navLink(c.href("/"), "Overview", c.pattern === "/"),
    h.map(sections, (section) =>
      ui.navLink(
        c.href("/components/{name}", { name: section.name }),
        section.title,
        section.name === name,
      )),
  );
}
