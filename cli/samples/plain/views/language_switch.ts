import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";

/** The names of the languages, each in its own language. */
const names: Readonly<Record<string, string>> = {
  // each language
  en: "English",
  // end
  // if sample
  pt: "Português",
  // end
};

/** A button for each language; it works without a script. */
export function languageSwitch(c: Ctx): Node {
  return h.form(
    h.method("post"),
    h.action(c.href("/language")),
    csrfInput(c),
    c.app.config.languages.map((tag) =>
      h.button(
        h.name("language"),
        h.value(tag),
        h.lang(tag),
        tag === c.language && h.aria("current", "true"),
        tag === c.language ? h.b(names[tag] ?? tag) : names[tag] ?? tag,
      )
    ),
  );
}
