/** The labels that the kit itself renders, in its languages. */
import type { Ctx } from "../mod.ts";
import { currentTexts } from "../runtime/addon.ts";
import { labelsPt, labelsPtBr } from "./labels_pt.ts";
import { type Labels, labels } from "./words.ts";

/** Returns a label for the current application, in the language of the request (the lookup of RFC 4647). */
export function word(name: keyof Labels): string {
  const { language = "", labels: own } = currentTexts() ?? {};
  const chosen = own?.[name];
  if (chosen !== undefined) return chosen;
  if (!/^pt(?:-|$)/i.test(language)) return labels[name];
  return (/^pt-br(?:-|$)/i.test(language) ? labelsPtBr : labelsPt)[name];
}

/** The texts of languages whose missing labels were reported. */
const reported: WeakSet<object> = new WeakSet();

/** Logs once which labels the language of the request lacks, so that they are in English. */
export function warnOfLabels(c: Ctx): void {
  const texts = currentTexts();
  const { language = "en", labels: own } = texts ?? {};
  if (texts === undefined || reported.has(texts) || /^(?:en|pt)(?:-|$)/i.test(language)) return;
  reported.add(texts);
  const missing = Object.keys(labels).filter((name) => own?.[name] === undefined);
  if (missing.length === 0) return;
  c.log.warn(`${missing.length} labels of the kit are in English on pages in "${language}"`, {
    missing: missing.slice(0, 20).join(", "),
    fix: `set config.languageTexts["${language}"].labels; the type ui.Labels has all of them`,
  });
}
