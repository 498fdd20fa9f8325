/** Language tags (BCP 47): their canonical form, and the lookup of RFC 4647. */

/** The maximum length of a tag that is looked at (RFC 5646, section 4.4.1, wants 35). */
const maxTagChars = 64;

/**
 * Parses a language tag.
 *
 * @returns Its canonical form, such as `pt-PT` for `PT-pt`; `undefined` for a text that is no tag.
 */
export function parseTag(text: string): string | undefined {
  if (text.length > maxTagChars) return undefined;
  try {
    return Intl.getCanonicalLocales(text)[0];
  } catch {
    return undefined;
  }
}

/**
 * Lists the tags at which to look for a language, as the lookup of RFC 4647 (section 3.4) shortens it:
 * `zh-Hant-TW` gives `zh-Hant-TW`, `zh-Hant` and `zh`.
 */
export function lookupChain(tag: string): readonly string[] {
  const chain: string[] = [];
  for (let rest = tag; rest !== ""; rest = shorten(rest)) chain.push(rest);
  return chain;
}

/** Removes the last subtag, with the single letter that introduces it. */
function shorten(tag: string): string {
  const cut = tag.slice(0, Math.max(0, tag.lastIndexOf("-")));
  return /-[A-Za-z0-9]$/.test(cut) ? cut.slice(0, -2) : cut;
}

/**
 * Finds the first entry along the lookup chain of a language.
 *
 * @param byTag The entries by lower-case tag.
 */
export function findAlong<T>(byTag: ReadonlyMap<string, T>, tag: string): T | undefined {
  for (const step of lookupChain(tag.toLowerCase())) {
    const found = byTag.get(step);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Returns entries by lower-case tag, also by primary subtags: where no language is plain `pt`, the first
 * of `pt-PT` and `pt-BR` serves those who ask for Portuguese of elsewhere.
 */
export function indexByTag<T>(
  entries: readonly (readonly [tag: string, value: T])[],
): Map<string, T> {
  const byTag = new Map(entries.map(([tag, value]) => [tag.toLowerCase(), value]));
  for (const [tag, value] of entries) {
    const [primary = ""] = tag.toLowerCase().split("-");
    if (!byTag.has(primary)) byTag.set(primary, value);
  }
  return byTag;
}
