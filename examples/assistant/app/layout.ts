import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** Renders the document around every page. */
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang(c.language),
    ui.theme(c),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.title(c.title),
      h.link(h.rel("icon"), h.href(c.asset("/favicon.svg")), h.type("image/svg+xml")),
      ui.head(c),
      h.link(h.rel("stylesheet"), h.href(c.asset("/chat.css"))),
    ),
    h.body(
      ui.body(),
      ui.skipLink("content", "Skip to content"),
      ui.header(ui.brand(c.href("/"), "Events assistant"), ui.spacer(), ui.themeToggle()),
      h.main(h.id("content"), ui.container(children)),
    ),
  );
}
