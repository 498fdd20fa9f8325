/** What a client may hold of a file already. */
export interface Validators {
  /** The entity tag with its quotes; absent where the content is not known. */
  readonly tag: string | undefined;
  /** When the file last changed, in whole seconds; `undefined` if unknown. */
  readonly modifiedSeconds: number | undefined;
}

/** How many entity tags of one header are compared. */
const maxTags = 64;

/** The minimum age of a date that distinguishes two versions (RFC 9110, section 8.8.2.2). */
const strongAgeSeconds = 1;

/**
 * Evaluates the preconditions of `GET` and `HEAD` in the order of RFC 9110, section 13.2.2.
 *
 * @returns 304 or 412 when that is the response, `undefined` to continue.
 */
export function checkConditions(headers: Headers, validators: Validators): 304 | 412 | undefined {
  const { tag, modifiedSeconds } = validators;
  const match = headers.get("if-match");
  if (match !== null) {
    if (!hasTag(match, { tag, isStrong: true })) return 412;
  } else {
    const since = parseDate(headers.get("if-unmodified-since"));
    if (since !== undefined && modifiedSeconds !== undefined && modifiedSeconds > since) return 412;
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) return hasTag(noneMatch, { tag, isStrong: false }) ? 304 : undefined;
  const since = parseDate(headers.get("if-modified-since"));
  if (since === undefined || modifiedSeconds === undefined) return undefined;
  return modifiedSeconds <= since ? 304 : undefined;
}

/**
 * Returns the weak form of a strong tag if the client holds that: the listener weakens the tag of a response
 * that it compresses.
 */
export function findWeakened(headers: Headers, tag: string | undefined): string | undefined {
  const header = headers.get("if-none-match");
  if (header === null || tag === undefined || isWeak(tag)) return undefined;
  const weak = `W/${tag}`;
  return header.includes(weak) ? weak : undefined;
}

/** Whether an `If-Range` allows the range (RFC 9110, section 13.1.5): only for an exact version. */
export function allowsRange(header: string | null, validators: Validators): boolean {
  if (header === null) return true;
  const { tag, modifiedSeconds } = validators;
  const value = header.trim();
  if (value.includes('"')) return tag !== undefined && value === tag;
  const date = parseDate(value);
  return date !== undefined && date === modifiedSeconds &&
    Date.now() / 1_000 - date > strongAgeSeconds;
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

function hasTag(
  header: string,
  options: { readonly tag: string | undefined; readonly isStrong: boolean },
): boolean {
  const { tag, isStrong } = options;
  const value = header.trim();
  if (value === "*") return true;
  if (tag === undefined) return false;
  if (value === tag) return true;
  const tags = value.match(/(?:W\/)?"[^"]*"/g) ?? [];
  return tags.slice(0, maxTags).some((each) =>
    each === tag || (!isStrong && isWeak(each) && each.slice(2) === tag)
  );
}

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const time = "(\\d\\d):(\\d\\d):(\\d\\d)";
const imfDate = new RegExp(`^[A-Z][a-z]{2}, (\\d\\d) ([A-Z][a-z]{2}) (\\d{4}) ${time} GMT$`);
const rfc850Date = new RegExp(`^[A-Z][a-z]{5,8}, (\\d\\d)-([A-Z][a-z]{2})-(\\d\\d) ${time} GMT$`);
const asctimeDate = new RegExp(`^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \\d]\\d) ${time} (\\d{4})$`);

/** Reads an HTTP date in its three forms (RFC 9110, section 5.6.7), in seconds since 1970. */
function parseDate(text: string | null): number | undefined {
  if (text === null || text.length > 40) return undefined;
  const value = text.trim();
  const [, day, month, year, ...clock] = imfDate.exec(value) ?? [];
  if (day !== undefined) return dateOf({ day, month, year: Number(year), clock });
  const [, day2, month2, year2, ...clock2] = rfc850Date.exec(value) ?? [];
  if (day2 !== undefined) {
    return dateOf({ day: day2, month: month2, year: fullYear(year2), clock: clock2 });
  }
  const [, month3, day3, hours, minutes, seconds, year3] = asctimeDate.exec(value) ?? [];
  if (day3 === undefined) return undefined;
  const clock3 = [hours, minutes, seconds];
  return dateOf({ day: day3, month: month3, year: Number(year3), clock: clock3 });
}

/** Expands a year of two digits; one that seems over 50 years ahead is in the past. */
function fullYear(text: string | undefined): number {
  const year = 2_000 + Number(text);
  return year > new Date().getUTCFullYear() + 50 ? year - 100 : year;
}

function dateOf(parts: {
  readonly day: string;
  readonly month: string | undefined;
  readonly year: number;
  readonly clock: readonly (string | undefined)[];
}): number | undefined {
  const month = months.indexOf(parts.month ?? "");
  const [hours = 0, minutes = 0, seconds = 0] = parts.clock.map(Number);
  const day = Number(parts.day);
  if (month < 0 || day < 1 || day > 31 || hours > 23 || minutes > 59 || seconds > 60) {
    return undefined;
  }
  return Date.UTC(parts.year, month, day, hours, minutes, seconds) / 1_000;
}
