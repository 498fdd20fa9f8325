import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog, languageAttributes } from "@fw/fw/i18n";

const site = "sample-app";

/** The texts of the frame. */
const messages = catalog({
  en: {
    description: "A new application.",
    api: "API",
  },
  pt: {
    description: "Uma nova aplicação.",
    api: "API",
  },
});

/** The frame of every page. */
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    languageAttributes(c.language),
    h.head(
      h.meta(h.charset("utf-8")),
      h.meta(h.name("viewport"), h.content("width=device-width, initial-scale=1")),
      h.meta(h.name("description"), h.content(c.t(messages, "description"))),
      // Put an icon into public/ and link it here; otherwise browsers request /favicon.ico.
      h.link(h.rel("icon"), h.href("data:image/png,")),
      h.title(c.title === "" ? site : `${c.title} · ${site}`),
      h.link(h.rel("stylesheet"), h.href(c.asset("/style.css"))),
    ),
    h.body(
      h.header(
        h.class("bar"),
        h.a(h.class("brand"), h.href(c.href("/")), site),
        // A static site, as the task `export` writes it, has no API.
        h.nav(!c.isExport && h.a(h.href(c.href("/api/hello")), c.t(messages, "api"))),
      ),
      h.main(children),
    ),
  );
}
