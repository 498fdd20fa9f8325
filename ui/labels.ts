/** The labels that the kit itself renders, in its languages. */
import { currentTexts } from "../runtime/addon.ts";
import { labelsPt, labelsPtBr } from "./labels_pt.ts";
import { type Labels, labels } from "./words.ts";

/** Returns a label for the current application, in the language of the request. */
export function word(name: keyof Labels): string {
  const texts = currentTexts();
  const language = texts?.language;
  const translated = language === undefined ? undefined : wordsOf(language);
  return texts?.labels?.[name] ?? translated?.[name] ?? labels[name];
}

/** The kit's own labels by lower-case language tag. */
const byLanguage: Readonly<Record<string, Readonly<Labels>>> = {
  "pt": labelsPt,
  "pt-br": labelsPtBr,
};

/** Cached labels by language, `null` for none; applications support few languages. */
const known = new Map<string, Readonly<Labels> | null>();
const maxKnown = 100;

function wordsOf(language: string): Readonly<Labels> | undefined {
  const found = known.get(language);
  if (found !== undefined) return found ?? undefined;
  const words = translations(language);
  if (known.size < maxKnown) known.set(language, words ?? null);
  return words;
}

/** Finds the kit's labels by the lookup of RFC 4647; `undefined` for English and unsupported languages. */
function translations(language: string): Readonly<Labels> | undefined {
  for (let tag = language.toLowerCase(); tag !== ""; tag = tag.replace(/(?:^|-)[^-]*$/, "")) {
    if (Object.hasOwn(byLanguage, tag)) return byLanguage[tag];
  }
  return undefined;
}
