/** The words that the kit itself writes, in its languages. */
import { currentTexts } from "../runtime/addon.ts";
import { labelsPt, labelsPtBr } from "./labels_pt.ts";
import { type Labels, labels } from "./words.ts";

/** Returns a word for the application that runs now, in the language of its request. */
export function word(name: keyof Labels): string {
  const texts = currentTexts();
  const language = texts?.language;
  const translated = language === undefined ? undefined : wordsOf(language);
  return texts?.labels?.[name] ?? translated?.[name] ?? labels[name];
}

/** The kit's own words by lower-case tag. */
const byLanguage: Readonly<Record<string, Readonly<Labels>>> = {
  "pt": labelsPt,
  "pt-br": labelsPtBr,
};

/** The labels found for a language, `null` for none; applications list few. */
const known = new Map<string, Readonly<Labels> | null>();
const maxKnown = 100;

function wordsOf(language: string): Readonly<Labels> | undefined {
  const found = known.get(language);
  if (found !== undefined) return found ?? undefined;
  const words = translations(language);
  if (known.size < maxKnown) known.set(language, words ?? null);
  return words;
}

/** Finds the kit's words along the lookup of RFC 4647; `undefined` for English and languages without any. */
function translations(language: string): Readonly<Labels> | undefined {
  for (let tag = language.toLowerCase(); tag !== ""; tag = tag.replace(/(?:^|-)[^-]*$/, "")) {
    if (Object.hasOwn(byLanguage, tag)) return byLanguage[tag];
  }
  return undefined;
}
