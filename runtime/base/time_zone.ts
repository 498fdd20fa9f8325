/** Zones by their name in small letters: the names that exist are few, and a new format takes a millisecond. */
const known = new Map<string, string>([["utc", "UTC"]]);

/**
 * Finds a time zone by its name in the database of IANA, in any case.
 *
 * @returns The name in its usual spelling; `undefined` for offsets and for names that do not exist.
 */
export function findTimeZone(name: string): string | undefined {
  if (name.length > 64 || !/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return undefined;
  const key = name.toLowerCase();
  const found = known.get(key);
  if (found !== undefined) return found;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    known.set(key, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}
