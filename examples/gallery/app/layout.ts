import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sections } from "@/sections/mod.ts";

const site = "fw ui";

/** Renders the document around every page. */
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang(c.language),
    ui.theme(c),
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
      ui.shell(
        c,
        {
          brand: site,
          home: c.href("/"),
          nav: nav(c),
          actions: [directionLink(c), ui.themeToggle()],
        },
        c.pattern.startsWith("/components/") && h.class("sheet"),
        children,
      ),
    ),
  );
}

function nav(c: Ctx): ui.NavItem[] {
  return [
    { label: "Overview", href: c.href("/"), icon: "home" },
    {
      label: "Components",
      items: sections.map(({ name, title }) => ({
        label: title,
        href: c.href("/components/{name}", { name }),
      })),
    },
    {
      label: "Screens",
      items: [
        { label: "Orders", href: c.href("/screens/orders") },
        { label: "Sign in", href: c.href("/screens/sign-in") },
      ],
    },
  ];
}

function directionLink(c: Ctx): Node {
  const isRtl = c.query("dir") === "rtl";
  return ui.buttonLink(
    isRtl ? "?dir=ltr" : "?dir=rtl",
    ui.ghost,
    ui.small,
    ui.tooltip("Turn the direction of writing"),
    h.bool("data-gallery-dir"),
    isRtl ? "LTR" : "RTL",
  );
}
