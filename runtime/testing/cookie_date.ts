const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Everything but letters, digits, colons and other octets that a part may contain. */
// deno-lint-ignore no-control-regex -- the grammar's ranges
const delimiter = /[\x09\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/;

/**
 * Parses the date of `Expires` (RFC 6265bis, section 5.6.1), in milliseconds since 1970: day, month, year and time
 * in any order; the zone does not count.
 */
export function parseCookieDate(text: string): number | undefined {
  let time: readonly number[] | undefined;
  let day: number | undefined;
  let month: number | undefined;
  let year: number | undefined;
  for (const part of text.split(delimiter)) {
    const clock = time === undefined && /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?!\d)/.exec(part);
    const named = months.indexOf(part.slice(0, 3).toLowerCase());
    if (clock) time = clock.slice(1).map(Number);
    else if (day === undefined && /^\d{1,2}(?!\d)/.test(part)) day = Number.parseInt(part);
    else if (month === undefined && named >= 0) month = named;
    else if (year === undefined && /^\d{2}(?:\d{2})?(?!\d)/.test(part)) {
      year = Number.parseInt(part);
    }
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) {
    return undefined;
  }
  const [hour = 0, minute = 0, second = 0] = time;
  const whole = year >= 100 ? year : year + (year < 70 ? 2_000 : 1_900);
  if (whole < 1_601 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(whole, month, day, hour, minute, second));
  // A day that does not exist is one of another month.
  return date.getUTCDate() === day && date.getUTCMonth() === month ? date.getTime() : undefined;
}
