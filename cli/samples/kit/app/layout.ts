import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

const site = "sample-app";

/** The texts of the frame. */
const messages = catalog({
  en: {
    description: "A new application.",
    home: "Home",
    skip: "Skip to content",
  },
  pt: {
    description: "Uma nova aplicação.",
    home: "Início",
    skip: "Saltar para o conteúdo",
  },
});

/** The frame of every page. */
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang(c.language),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("description"), h.content(c.t(messages, "description"))),
      // Put an icon into public/ and name it here; without a link, browsers ask for /favicon.ico.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title(c.title === "" ? site : `${c.title} · ${site}`),
      ui.head(c),
    ),
    h.body(
      ui.body(),
      ui.skipLink("content", c.t(messages, "skip")),
      ui.header(
        ui.brand(c.href("/"), site),
        ui.nav(ui.navLink(c.href("/"), c.t(messages, "home"), c.pattern === "/")),
        ui.spacer(),
        ui.themeToggle(),
      ),
      // Above the content, for browsers without a script, where messages stand in the page.
      ui.flashes(c),
      h.main(h.id("content"), ui.container(children)),
    ),
  );
}
