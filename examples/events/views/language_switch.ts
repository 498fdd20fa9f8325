import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { languageNames, messages } from "@/lib/messages.ts";

/**
 * Renders links to the page in other languages. They load the whole document, because its layout
 * changes as well. An unknown URL has no other languages.
 */
export function languageSwitch(c: Ctx): Node {
  const pages = c.alternates().filter(({ language }) => language !== "x-default");
  if (pages.length === 0) return h.fragment();
  return ui.nav(
    h.class("languages"),
    h.aria("label", c.t(messages, "language")),
    ui.noNavigate(),
    h.map(pages, ({ language, path }) =>
      ui.navLink(
        path,
        languageNames[language] ?? language,
        undefined,
        h.lang(language),
        h.hreflang(language),
        language === c.language && h.aria("current", "true"),
      )),
  );
}
