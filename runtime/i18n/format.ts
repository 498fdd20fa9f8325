import type { Format } from "../base/catalog.ts";
import { keepByLanguage } from "./languages.ts";

/**
 * Returns the formatter of numbers, dates and plurals for a language; throws a `RangeError` for a malformed
 * tag.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatOf } from "@fw/fw/i18n";
 *
 * assertEquals(formatOf("de").number(1234.5), "1.234,5");
 * assertEquals(formatOf("en").date(new Date("2026-03-01")), "March 1, 2026");
 * const forms = { one: "one seat", other: "many seats" };
 * assertEquals(formatOf("en").plural(1, forms), "one seat");
 * ```
 */
export function formatOf(language: string): Format {
  return formatByTag(language);
}

const formatByTag = keepByLanguage((tag) => createFormat(String(Intl.getCanonicalLocales(tag))));

/** Creates a formatter of functions, not methods, because messages destructure `{ number, date }`. */
function createFormat(language: string): Format {
  const tags = withFallback(language);
  const numbers = keepByOptions((options) => new Intl.NumberFormat(tags, options));
  const dates = keepByOptions((options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(tags, { ...options, timeZone: options.timeZone ?? "UTC" })
  );
  const rules = keepByOptions((options) => createSelect(new Intl.PluralRules(tags, options)));
  const plain = keepSmall((value) => numbers(noOptions).format(value));
  return {
    language,
    number: (value, options) =>
      options === undefined ? plain(value) : numbers(options).format(value),
    date: (value, options = longDate) => dates(options).format(value),
    plural: (count, forms, options = noOptions) => forms[rules(options)(count)] ?? forms.other,
  };
}

/** Adds English, because `Intl` falls back to the language of the machine. */
function withFallback(language: string): string[] {
  return [language, "en"];
}

const noOptions = {};
const longDate = { dateStyle: "long" } as const;

/** Messages have few options; the bound is for zones and options that come from a request. */
const maxContents = 100;

/** Caches formats by the content of their options: creating one takes as long as a thousand uses. */
function keepByOptions<O extends object, T>(make: (options: O) => T): (options: O) => T {
  const byContent = new Map<string, T>();
  return (given) => {
    const options = flattenOptions(given);
    const content = JSON.stringify(options);
    const same = byContent.get(content);
    if (same !== undefined) return same;
    const made = make(options);
    // Users choose their time zone: the oldest is evicted, so that one who tries many does not slow others
    // down.
    const [oldest] = byContent.size < maxContents ? [] : byContent.keys();
    if (oldest !== undefined) byContent.delete(oldest);
    byContent.set(content, made);
    return made;
  };
}

/** Returns the options as own properties: `Intl` reads inherited ones too, which a copy or a key would lack. */
export function flattenOptions<O extends object>(options: O): O {
  if (Object.getPrototypeOf(options) === Object.prototype) return options;
  const flat = Object.assign({}, options);
  // deno-lint-ignore guard-for-in -- inherited options are the reason
  for (const name in options) flat[name] = options[name];
  return flat;
}

/** Caches the results for small whole numbers, which cost `Intl` a microsecond each (`bench/i18n`). */
function keepSmall<N extends number | bigint, T>(make: (value: N) => T): (value: N) => T {
  const kept: (T | undefined)[] = Array(ordinaryCounts).fill(undefined);
  return (value) => {
    const isSmall = Number.isInteger(value) && value >= 0 && value < ordinaryCounts;
    return isSmall && !Object.is(value, -0) ? kept[Number(value)] ??= make(value) : make(value);
  };
}

export interface PluralRules {
  readonly select: (count: number) => Intl.LDMLPluralRule;
  /** The categories of whole numbers below 1,000, and `other`, which covers rare ones such as millions. */
  readonly needed: ReadonlySet<string>;
}

/** Returns the plural rules of a language, cached: testing 1,000 counts takes milliseconds. */
export const pluralRulesOf: (language: string) => PluralRules = keepByLanguage((language) => {
  const select = createSelect(new Intl.PluralRules(withFallback(language)));
  const counts = Array.from({ length: ordinaryCounts }, (_, count) => select(count));
  return { select, needed: new Set(["other", ...counts]) };
});

function createSelect(rules: Intl.PluralRules): (count: number) => Intl.LDMLPluralRule {
  return keepSmall((count: number) => rules.select(count));
}

/** The number of counts tested to find the categories that a language needs. */
const ordinaryCounts = 1_000;
