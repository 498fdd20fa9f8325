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
