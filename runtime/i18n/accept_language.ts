/** The maximum length of an `Accept-Language` that is read; what follows is left out. */
const maxHeaderChars = 1_000;

/** The maximum number of ranges that are read; browsers send fewer than ten. */
const maxRanges = 32;

/** The languages that a client asks for. */
export interface LanguageRanges {
  /** The ranges in lower case, the preferred first; `*` stands for any language. */
  readonly wanted: readonly string[];
  /** The ranges that the client does not take (`q=0`). */
  readonly refused: ReadonlySet<string>;
}

const item =
  /^[ \t]*(\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)(?:-\*)?[ \t]*(?:;[ \t]*[qQ]=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/;

/**
 * Parses the header `Accept-Language` (RFC 9110, section 12.5.4). Malformed ranges are skipped, and what is
 * over the limits is left out.
 */
export function parseAcceptLanguage(header: string | null): LanguageRanges {
  const refused = new Set<string>();
  const found: { readonly range: string; readonly quality: number }[] = [];
  for (const text of (header ?? "").slice(0, maxHeaderChars).split(",", maxRanges)) {
    const [, range, quality = "1"] = item.exec(text) ?? [];
    if (range === undefined) continue;
    const lower = range.toLowerCase();
    if (Number(quality) === 0) refused.add(lower);
    else found.push({ range: lower, quality: Number(quality) });
  }
  found.sort((one, other) => other.quality - one.quality);
  return { wanted: found.map(({ range }) => range), refused };
}
