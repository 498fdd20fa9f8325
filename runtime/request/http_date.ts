/** The three forms that a recipient must read: of today, of RFC 850 and of C's asctime. */
const forms: readonly RegExp[] = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d{2}) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d{2})-(?<month>[A-Z][a-z]{2})-(?<year>\d{2}) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)) (?<year>\d{4})$/,
];

/**
 * Parses a date of a header (RFC 9110, section 5.6.7).
 *
 * @param header The header's value; `null` or `undefined` for none.
 * @returns Milliseconds since 1970; `undefined` for anything else.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { parseHttpDate } from "@fw/fw/addon";
 *
 * assertEquals(parseHttpDate("Sun, 06 Nov 1994 08:49:37 GMT"), 784111777000);
 * assertEquals(parseHttpDate("-5"), undefined);
 * ```
 */
export function parseHttpDate(header: string | null | undefined): number | undefined {
  if (header === null || header === undefined || header.length > 40) return undefined;
  for (const form of forms) {
    const { day = "", month = "", year = "", time = "" } = form.exec(header)?.groups ?? {};
    if (day === "") continue;
    // `Date.parse` alone takes much more than dates, and reads years of two digits as it likes.
    const isLeap = time.endsWith(":60");
    const clock = isLeap ? `${time.slice(0, -2)}59` : time;
    const parsed = Date.parse(`${day.trim()} ${month} ${fullYear(year)} ${clock} GMT`);
    // It also takes the 31st of every month, for a day of the next one.
    if (new Date(parsed).getUTCDate() !== Number(day)) return undefined;
    return isLeap ? parsed + 1_000 : parsed;
  }
  return undefined;
}

/** A year of two digits is never more than 50 years ahead. */
function fullYear(year: string): string {
  if (year.length === 4) return year;
  const now = new Date().getUTCFullYear();
  const full = now - now % 100 + Number(year);
  return String(full > now + 50 ? full - 100 : full);
}
