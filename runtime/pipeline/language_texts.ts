import type { AppTexts, Texts } from "../base/texts.ts";
import type { Config, LanguageTexts } from "../base/ctx/config.ts";
import { Languages, parseLanguages } from "../i18n/languages.ts";
import { lookupChain, parseTag } from "../i18n/tags.ts";
import { errorTexts } from "../render/error_texts.ts";
import { findMessages } from "../schema/messages.ts";

type TextSettings = Pick<
  Config,
  "languages" | "languagePrefix" | "languageTexts" | "validationMessages" | "labels"
>;

/** Returns the texts of an application that lists no languages; `undefined` for one without own texts. */
export function fixedTexts(
  { validationMessages, labels }: Pick<Config, "validationMessages" | "labels">,
): AppTexts | undefined {
  if (validationMessages === undefined && labels === undefined) return undefined;
  return {
    language: undefined,
    validationMessages: listed(validationMessages),
    labels,
    errorPages: undefined,
  };
}

/**
 * Compiles the languages of an application with their texts.
 *
 * @returns `undefined` for one that lists none.
 * @throws {TypeError} for a setting that cannot be.
 */
export function compileLanguages(config: TextSettings): Languages | undefined {
  const tags = parseLanguages(config);
  if (tags === undefined) return undefined;
  const own = new Map(
    Object.entries(config.languageTexts).map(([text, texts]) => [parseTag(text) ?? text, texts]),
  );
  const textsOf = (language: string): AppTexts => {
    const chain = lookupChain(language);
    const given = chain.flatMap((tag) => listed(own.get(tag)));
    // Texts that name no language are in the first one.
    const plain: LanguageTexts[] = language === tags[0] ? [plainTexts(config)] : [];
    const all = [...given, ...plain];
    return {
      language,
      validationMessages: [
        ...all.flatMap((texts) => listed(texts.validationMessages)),
        ...listed(findMessages(chain)),
      ],
      labels: merge(all.map((texts) => texts.labels)),
      errorPages: merge([...all.map((texts) => texts.errorPages), errorTexts(chain)]),
    };
  };
  return new Languages(tags, { hasPrefix: config.languagePrefix, textsOf });
}

function plainTexts({ validationMessages, labels }: TextSettings): LanguageTexts {
  return {
    ...(validationMessages === undefined ? {} : { validationMessages }),
    ...(labels === undefined ? {} : { labels }),
  };
}

function listed<T>(value: T | undefined): T[] {
  return value === undefined ? [] : [value];
}

/** Joins texts, of which earlier ones win. */
function merge(texts: readonly (Texts | undefined)[]): Texts {
  // Without a prototype: a name such as "constructor" words nothing.
  return Object.assign(Object.create(null), ...texts.toReversed());
}
