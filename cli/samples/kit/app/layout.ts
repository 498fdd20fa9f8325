import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog, languageAttributes } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { nav } from "./nav.ts";

const site = "sample-app";

/** The texts of the frame. */
const messages = catalog({
  en: {
    description: "A new application.",
  },
  pt: {
    description: "Uma nova aplicação.",
  },
});

/** The frame of every page. */
export async function Layout(c: Ctx, children: Node): Promise<Node> {
  return h.html(
    languageAttributes(c.language),
    ui.theme(c),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("description"), h.content(c.t(messages, "description"))),
      // Put an icon into public/ and link it here; otherwise browsers request /favicon.ico.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title(c.title === "" ? site : `${c.title} · ${site}`),
      ui.font(c, { family: "Geist", file: "/geist.woff2", fallbackPercent: 102 }),
      ui.head(c),
    ),
    h.body(
      ui.body(),
      ui.shell(
        c,
        { brand: site, home: c.href("/"), nav: await nav(c), actions: [ui.themeToggle()] },
        children,
      ),
    ),
  );
}
