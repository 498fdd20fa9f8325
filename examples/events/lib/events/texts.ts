import type { Ctx } from "@fw/fw";
import type { CityEvent, Venue } from "../city_event.ts";

/** What an event says, in one language. */
export interface EventTexts {
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** A paragraph. */
  readonly story: string;
}

/** A text with its language for the attribute `lang`; `undefined` where it is that of the page. */
export interface LocalText {
  readonly text: string;
  readonly language: string | undefined;
}

/** Returns the texts of an event in the language of the request or of a guest, else those of its organisers. */
export function textsOf(
  { language }: Pick<Ctx, "language">,
  event: CityEvent,
): EventTexts {
  return event.translations?.[language] ?? event;
}

/** Returns the note of a venue in the language of the request, else that of the organisers. */
export function noteOf(c: Ctx, { note, notes }: Venue): LocalText {
  const translated = notes?.[c.language];
  if (translated !== undefined) return { text: translated, language: undefined };
  return { text: note, language: c.language === organiserLanguage ? undefined : organiserLanguage };
}

/**
 * Returns the language that the texts of {@link textsOf} are in, for the attribute `lang`; `undefined` where
 * it is that of the page.
 */
export function textLanguage(c: Ctx, event: CityEvent): string | undefined {
  const isPages = c.language === organiserLanguage ||
    event.translations?.[c.language] !== undefined;
  return isPages ? undefined : organiserLanguage;
}

/** The language in which organisers write. */
const organiserLanguage = "en";

/** Parses the translations in a column, which the application itself has written. */
export function parseTranslations<T>(json: string): Readonly<Record<string, T>> {
  return JSON.parse(json);
}
