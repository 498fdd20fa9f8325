import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { languageNames, messages } from "@/lib/messages.ts";

/**
 * Links to the page in its other languages. They load it anew, since its frame changes as well. Without a
 * page, as for an address that leads nowhere, there is nothing to switch.
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
