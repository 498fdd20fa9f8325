import { type AppTexts, isPlainText } from "../base/texts.ts";
import type { Config } from "../base/ctx/config.ts";
import { parseWeights } from "../base/headers.ts";

export const languageCookie = "fw_lang";

/** The language of a request and its derived values; created once at boot. */
export interface Spoken {
  readonly language: string;
  readonly texts: AppTexts;
  /** The request headers that decided the language, for `Vary`; `undefined` if none did. */
  readonly vary: string | undefined;
  readonly pageVary: string;
  readonly isPlain: boolean;
}

export function speakIn(language: string, { texts, vary }: Pick<Spoken, "texts" | "vary">): Spoken {
  const pageVary = vary === undefined ? "FW-Fragment" : `FW-Fragment, ${vary}`;
  return { language, texts, vary, pageVary, isPlain: isPlainText(texts) };
}

export interface PrefixedPath {
  readonly language: string;
  /** The path after it, `""` for none. */
  readonly rest: string;
  readonly isCanonical: boolean;
}

const rememberedHeaders = 8;

export class Languages {
  readonly tags: readonly string[];
  readonly hasPrefix: boolean;
  /** The name of the cookie: `fw_lang`, with a suffix below a base path. */
  readonly cookie: string;
  readonly #first: Spoken;
  // Short lists to search: a map would hash a new string for every request (`bench/i18n`).
  readonly #byPath: readonly Spoken[];
  readonly #byCookie: readonly Spoken[];
  readonly #all: readonly Spoken[];
  readonly #byHeader: LanguageMatcher<Spoken>;
  readonly #remembered: { readonly header: string | null; readonly spoken: Spoken }[] = [];
  #nextSlot = 0;

  constructor(
    tags: readonly [string, ...string[]],
    options: {
      readonly hasPrefix: boolean;
      readonly cookie: string;
      readonly textsOf: (language: string) => AppTexts;
    },
  ) {
    this.tags = tags;
    this.hasPrefix = options.hasPrefix;
    this.cookie = options.cookie;
    const texts = new Map(tags.map((tag) => [tag, options.textsOf(tag)]));
    const speak = (language: string, vary: string | undefined): Spoken =>
      speakIn(language, {
        texts: texts.get(language) ?? options.textsOf(language),
        vary: tags.length === 1 ? undefined : vary,
      });
    this.#byPath = tags.map((tag) => speak(tag, undefined));
    this.#byCookie = tags.map((tag) => speak(tag, "Cookie"));
    // Without a cookie the response depends on its absence as well.
    this.#all = tags.map((tag) => speak(tag, "Accept-Language, Cookie"));
    this.#byHeader = new LanguageMatcher(this.#all.map((spoken) => [spoken.language, spoken]));
    this.#first = this.#all[0] ?? speak(tags[0], undefined);
  }

  inPath(language: string): Spoken {
    return findTag(this.#byPath, language) ?? this.#first;
  }

  /** Returns the record of a language that the user chose; `undefined` if it is not supported. */
  chosen(language: string): Spoken | undefined {
    return findTag(this.#byCookie, language);
  }

  /** Decides the language if the path has none: by the cookie, `Accept-Language`, else the first. */
  decide(
    signs: { cookie(name: string): string | undefined; readonly headers: Headers },
  ): Spoken {
    if (this.tags.length === 1) return this.#first;
    const cookie = signs.cookie(this.cookie);
    const chosen = cookie === undefined ? undefined : this.chosen(cookie);
    return chosen ?? this.#negotiate(signs.headers.get("accept-language"));
  }

  #negotiate(header: string | null): Spoken {
    for (const known of this.#remembered) if (known.header === header) return known.spoken;
    const spoken = this.#lookUp(header);
    this.#remembered[this.#nextSlot] = { header, spoken };
    this.#nextSlot = (this.#nextSlot + 1) % rememberedHeaders;
    return spoken;
  }

  #lookUp(header: string | null): Spoken {
    const [wanted, refused] = parseAcceptLanguage(header);
    for (const range of wanted) {
      const ranked = range === "*" ? this.#all : this.#byHeader.rank(range);
      const found = ranked.find(({ language }) => !isRefused(language, range, refused));
      if (found !== undefined) return found;
    }
    return this.#first;
  }

  parsePrefix(path: string): PrefixedPath | undefined {
    if (!this.hasPrefix) return undefined;
    const slash = path.indexOf("/", 1);
    const end = slash < 0 ? path.length : slash;
    const segment = path.slice(1, end);
    const spoken = findTag(this.#byPath, segment);
    if (spoken === undefined) return undefined;
    const { language } = spoken;
    return { language, rest: path.slice(end), isCanonical: segment === language };
  }
}

const languageRange = /^(?:\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)$/;

/** Returns the ranges, the preferred first, and those of `q=0` (RFC 9110, section 12.5.4). */
function parseAcceptLanguage(
  header: string | null,
): readonly [wanted: readonly string[], refused: ReadonlySet<string>] {
  const ranges = parseWeights(header ?? "")
    .map(([name, quality]) => [name.replace(/-\*$/, ""), quality] as const)
    .filter(([range]) => languageRange.test(range))
    .sort(([, one], [, other]) => other - one);
  const wanted = ranges.filter(([, quality]) => quality > 0).map(([range]) => range);
  return [wanted, new Set(ranges.slice(wanted.length).map(([range]) => range))];
}

function findTag(list: readonly Spoken[], tag: string): Spoken | undefined {
  for (const spoken of list) {
    const { language } = spoken;
    if (language === tag) return spoken;
    if (language.length === tag.length && language.toLowerCase() === tag.toLowerCase()) {
      return spoken;
    }
  }
  return undefined;
}

/** Reports whether a range with `q=0` excludes a tag that it matches: not if a longer range found the tag. */
function isRefused(tag: string, range: string, refused: ReadonlySet<string>): boolean {
  if (refused.size === 0) return false;
  const lower = tag.toLowerCase();
  const found = range !== "*" && isWithin(lower, range) ? range.length : 0;
  return [...refused].some((other) =>
    other !== "*" && other.length >= found && isWithin(lower, other)
  );
}

/** Reports whether a range of RFC 4647, section 3.3.1, matches a tag, both in lower case. */
function isWithin(tag: string, range: string): boolean {
  return range === "*" || tag === range || tag.startsWith(`${range}-`);
}

/** Checks the languages of a configuration; `undefined` if it lists none. */
export function parseLanguages(
  { languages, languagePrefix, languageTexts }: Pick<
    Config,
    "languages" | "languagePrefix" | "languageTexts"
  >,
): readonly [string, ...string[]] | undefined {
  const tags: string[] = [];
  for (const text of languages) {
    const tag = parseTag(text);
    if (tag === undefined) {
      throw new TypeError(
        `Cannot speak the language ${
          JSON.stringify(text)
        } (config.languages): write a tag such as "en" or "pt-PT".`,
      );
    }
    if (tags.includes(tag)) {
      throw new TypeError(
        `Cannot list the language "${tag}" twice (config.languages): remove one.`,
      );
    }
    tags.push(tag);
  }
  const wrong = Object.keys(languageTexts).find((text) => parseTag(text) === undefined);
  if (wrong !== undefined) {
    throw new TypeError(
      `Cannot set config.languageTexts[${JSON.stringify(wrong)}]: write a tag such as "fr".`,
    );
  }
  const [first, ...others] = tags;
  if (first !== undefined) return [first, ...others];
  if (!languagePrefix) return undefined;
  throw new TypeError(
    'Cannot set config.languagePrefix without languages: list them in config.languages, such as ["en", "pt-PT"].',
  );
}

/** The maximum length of a parsed tag (RFC 5646, section 4.4.1, requires 35). */
const maxTagChars = 64;

/** An extended language, whose canonical form has no prefix: `zh-yue` is `yue` (RFC 5646, section 4.5). */
const extended = /^(?:ar|i|kok|lv|ms|sgn|sw|uz|zh)-([a-z]{3})(?=-|$)/i;

export function parseTag(text: string): string | undefined {
  if (text.length > maxTagChars) return undefined;
  try {
    return Intl.getCanonicalLocales(text.replace(extended, "$1"))[0];
  } catch {
    return undefined;
  }
}

/** Returns a tag and its shortened forms (RFC 4647, section 3.4): `zh-Hant-TW`, `zh-Hant`, `zh`. */
export function lookupChain(tag: string): readonly string[] {
  const chain: string[] = [];
  for (let rest = tag; rest !== "";) {
    chain.push(rest);
    const cut = rest.slice(0, Math.max(0, rest.lastIndexOf("-")));
    // A single letter that introduces the removed subtag goes as well.
    rest = /-[A-Za-z0-9]$/.test(cut) ? cut.slice(0, -2) : cut;
  }
  return chain;
}

/** The parts by which two languages are compared. */
interface Place {
  readonly language: string;
  readonly script: string;
  readonly region: string;
  /** Regions whose variants of a language are close (CLDR, `parentLocales` and `languageMatching`). */
  readonly cluster: string;
}

/** Regions by language and script that do not belong to the cluster of all others. */
const clusters: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "es-Latn": { "419": "419 AR BO BR BZ CL CO CR CU DO EC GT HN MX NI PA PE PR PY SV US UY VE" },
  "pt-Latn": { PT: "AO CH CV FR GQ GW LU MO MZ PT ST TL" },
  "en-Latn": { US: "AS CA GU MH MP PH PR UM US VI" },
  "zh-Hant": { HK: "HK MO" },
};

const sameLanguage: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ar:
      "aao abv acm acq acw acx acy adf aeb aec afb apc apd arq ars ary arz auz avl ayh ayl ayn ayp shu",
    lv: "ltg",
    ms: "bjn max zlm",
    no: "nb nn",
    uz: "uzs",
    zh: "cdo cjy cpx czh czo gan hak hsn lzh mnp nan wuu yue",
  }).flatMap(([own, names]) => names.split(" ").map((name) => [name, own] as const)),
);

function placeOf(tag: string): Place | undefined {
  if (/^(?:und|mul|mis|zxx)\b/i.test(tag)) return undefined;
  const { language, script = "", region = "" } = new Intl.Locale(tag).maximize();
  const own = sameLanguage.get(language) ?? language;
  const found = Object.entries(clusters[`${own}-${script}`] ?? {})
    .find(([, regions]) => regions.split(" ").includes(region));
  return { language: own, script, region, cluster: found?.[0] ?? "" };
}

export class LanguageMatcher<T> {
  readonly #entries: readonly {
    readonly tag: string;
    readonly place: Place | undefined;
    readonly value: T;
  }[];

  /** @param entries Canonical tags, the preferred ones first. */
  constructor(entries: readonly (readonly [tag: string, value: T])[]) {
    this.#entries = entries.map(([tag, value]) => ({ tag, value, place: placeOf(tag) }));
  }

  /** Returns the values of the languages that fit a requested one, the nearest first. */
  rank(text: string): readonly T[] {
    const tag = parseTag(text);
    const wanted = tag === undefined ? undefined : placeOf(tag);
    if (tag === undefined || wanted === undefined) return [];
    const chain = lookupChain(tag);
    return this.#entries
      .filter(({ place }) => place?.language === wanted.language)
      .map((entry) => ({ value: entry.value, distance: distanceOf(entry, { wanted, chain }) }))
      .sort((one, other) => one.distance - other.distance)
      .map(({ value }) => value);
  }

  find(text: string): T | undefined {
    return this.rank(text)[0];
  }
}

function distanceOf(
  { tag, place }: { readonly tag: string; readonly place: Place | undefined },
  { wanted, chain }: { readonly wanted: Place; readonly chain: readonly string[] },
): number {
  if (tag === chain[0]) return 0;
  if (place?.script !== wanted.script) return 6;
  if (place.region === wanted.region) return tag.startsWith(wanted.language) ? 1 : 2;
  if (place.cluster !== wanted.cluster) return 5;
  // A region of several countries, or a tag without a region.
  return /-\d{3}$/.test(tag) || chain.includes(tag) ? 3 : 4;
}

/** Applications have few languages; the bound is for callers that pass arbitrary tags. */
const maxKept = 200;

export function keepByLanguage<T>(make: (language: string) => T): (language: string) => T {
  const kept = new Map<string, T>();
  return (language) => {
    const known = kept.get(language);
    if (known !== undefined) return known;
    const made = make(language);
    if (kept.size < maxKept) kept.set(language, made);
    return made;
  };
}

/** Reports whether a language is written from right to left; throws a `RangeError` for a malformed tag. */
export const isRightToLeft: (language: string) => boolean = keepByLanguage((language) => {
  const { script = "" } = new Intl.Locale(language).maximize();
  return /^(?:Adlm|Arab|Aran|Hebr|Nkoo|Rohg|Syrc|Thaa)$/.test(script);
});
