import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** The names of the languages, each in its own language. */
const names: Readonly<Record<string, string>> = {
  // each language
  en: "English",
  // end
  // if sample
  pt: "Português",
  // end
};

/** Renders the choice of the language; it works without a script. */
export function languageSwitch(c: Ctx): Node {
  const buttons = c.app.config.languages.map((tag) =>
    ui.menuButton(
      h.name("language"),
      h.value(tag),
      h.lang(tag),
      tag === c.language && h.aria("current", "true"),
      // if kit
      names[tag] ?? tag,
      // end
      // if no kit
      tag === c.language ? h.b(names[tag] ?? tag) : names[tag] ?? tag,
      // end
    )
  );
  return h.form(
    h.method("post"),
    h.action(c.href("/language")),
    // if kit
    // The whole page changes, not only its content.
    ui.noNavigate(),
    // end
    csrfInput(c),
    // if kit
    ui.menu(h.group(ui.ghost, names[c.language] ?? c.language), ui.end, buttons),
    // end
    // if no kit
    buttons,
    // end
  );
}
