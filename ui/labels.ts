/** The labels that the kit itself renders, in its languages. */
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
