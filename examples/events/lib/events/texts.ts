import type { Ctx } from "@fw/fw";
import type { CityEvent, Venue } from "../city_event.ts";

/** The texts of an event in one language. */
export interface EventTexts {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** A paragraph. */
  readonly story: string;
}

/** A text with its language for the attribute `lang`; `undefined` if it is the page's language. */
export interface LocalText {
  readonly text: string;
  readonly language: string | undefined;
}

/** Returns the texts of an event in the language of the request or guest, else in the organisers'. */
export function textsOf(
  { language }: Pick<Ctx, "language">,
  event: CityEvent,
): EventTexts {
  return event.translations?.[language] ?? event;
}

/** Returns the note of a venue in the language of the request, else in the organisers'. */
export function noteOf(c: Ctx, { note, notes }: Venue): LocalText {
  const translated = notes?.[c.language];
  if (translated !== undefined) return { text: translated, language: undefined };
  return { text: note, language: c.language === organiserLanguage ? undefined : organiserLanguage };
}

/**
 * Returns the language of the texts from {@link textsOf} for the attribute `lang`; `undefined` if
 * it is the page's language.
 */
export function textLanguage(c: Ctx, event: CityEvent): string | undefined {
  const isPages = c.language === organiserLanguage ||
    event.translations?.[c.language] !== undefined;
  return isPages ? undefined : organiserLanguage;
}

/** The language in which organisers write. */
const organiserLanguage = "en";

/** Parses a column's translations, which were written by this application. */
export function parseTranslations<T>(json: string): Readonly<Record<string, T>> {
  return JSON.parse(json);
}
