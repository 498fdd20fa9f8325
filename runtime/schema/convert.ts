import type { LeafKind } from "./types.ts";

/** The field was not sent, or sent with nothing in it. */
export const Absent: unique symbol = Symbol("absent");

/** The field was sent with something that its type cannot hold. */
export const Unconvertible: unique symbol = Symbol("unconvertible");

/** The field was sent with a whole number above what its type holds. */
export const TooLarge: unique symbol = Symbol("too large");

/** The field was sent with a whole number below what its type holds. */
export const TooSmall: unique symbol = Symbol("too small");

/** A converted value, or why there is none. */
export type Converted = unknown;

/** The conversion of submitted values for one kind of leaf. */
export interface LeafReader {
  /** Reads the values of a form field. */
  readonly fromForm: (values: readonly string[]) => Converted;
  /** Reads a JSON value that is neither `undefined` nor `null`. */
  readonly fromJson: (value: unknown) => Converted;
  /** Creates the value of an absent field that is neither required nor optional. */
  readonly zero: () => unknown;
}

/** A number or a date written with more characters than this is refused unread. */
const MAX_SCALAR_CHARS = 64;

const INT = /^[+-]?\d+$/;
const FLOAT = /^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?$/;
const MIN_INT64 = -(2n ** 63n);
const MAX_INT64 = 2n ** 63n - 1n;

/** The readers of all kinds of leaf. */
export const leafReaders: Readonly<Record<LeafKind, LeafReader>> = {
  text: { fromForm: textFromForm, fromJson: textFromJson, zero: () => "" },
  texts: { fromForm: textsFromForm, fromJson: textsFromJson, zero: () => [] },
  bool: { fromForm: boolFromForm, fromJson: boolFromJson, zero: () => false },
  int: { fromForm: scalar(parseInt10), fromJson: intFromJson, zero: () => 0 },
  int64: { fromForm: scalar(parseInt64), fromJson: int64FromJson, zero: () => 0n },
  float: { fromForm: scalar(parseFloat10), fromJson: floatFromJson, zero: () => 0 },
  date: { fromForm: scalar(parseDate), fromJson: dateFromJson, zero: () => null },
};

/**
 * Parses a decimal integer in the safe range. Signs and leading zeros are taken; exponents, hex
 * and fractions are not.
 *
 * @param text What was typed, without surrounding white space.
 * @returns The number, {@link Unconvertible}, {@link TooLarge} or {@link TooSmall}.
 */
function parseInt10(text: string): Converted {
  return INT.test(text) ? safeInteger(Number(text)) : Unconvertible;
}

function safeInteger(value: number): Converted {
  // Adding zero turns -0 into 0.
  return Number.isSafeInteger(value) ? value + 0 : value > 0 ? TooLarge : TooSmall;
}

/**
 * Parses a decimal integer of 64 bits.
 *
 * @param text What was typed, without surrounding white space.
 * @returns The bigint, {@link Unconvertible}, {@link TooLarge} or {@link TooSmall}.
 */
function parseInt64(text: string): Converted {
  if (!INT.test(text)) return Unconvertible;
  const value = text.startsWith("+") ? BigInt(text.slice(1)) : BigInt(text);
  if (value > MAX_INT64) return TooLarge;
  return value < MIN_INT64 ? TooSmall : value;
}

/**
 * Parses a decimal number whose fraction follows a comma or a dot. An exponent is taken, since
 * `<input type="number">` sends one as it was typed; hex, `NaN`, `Infinity`, grouping and what
 * overflows to infinity are not.
 *
 * @param text What was typed, without surrounding white space.
 * @returns The number, or {@link Unconvertible}.
 */
function parseFloat10(text: string): number | typeof Unconvertible {
  if (!FLOAT.test(text)) return Unconvertible;
  const value = Number(text.replace(",", "."));
  return Number.isFinite(value) ? value + 0 : Unconvertible;
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2}))?$/;
const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM` as UTC.
 *
 * @param text What was typed, without surrounding white space.
 * @returns The date, or {@link Unconvertible}, also for a day that does not exist.
 */
function parseDate(text: string): Date | typeof Unconvertible {
  const match = DATE.exec(text);
  return match === null ? Unconvertible : dateOf(match);
}

/** Groups 1 to 6 are year, month, day, hour, minute, second. */
function dateOf(match: RegExpExecArray): Date | typeof Unconvertible {
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute] = [Number(match[4] ?? 0), Number(match[5] ?? 0)];
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month) || hour > 23 || minute > 59) {
    return Unconvertible;
  }
  const date = new Date(Date.UTC(year, month - 1, day, hour, minute));
  // Date.UTC reads the years 0 to 99 as 1900 to 1999.
  if (year < 100) date.setUTCFullYear(year, month - 1, day);
  return date;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** Parses RFC 3339, the format that `JSON.stringify` writes for a `Date`. */
function parseRfc3339(text: string): Date | typeof Unconvertible {
  const match = RFC3339.exec(text);
  if (match === null) return Unconvertible;
  const date = dateOf(match);
  const [second, offsetHour, offsetMinute] = [match[6], match[9], match[10]]
    .map((part) => Number(part ?? 0)) as [number, number, number];
  if (date === Unconvertible || second > 59 || offsetHour > 23 || offsetMinute > 59) {
    return Unconvertible;
  }
  const fractionMs = Math.floor(Number(`0.${match[7] ?? 0}`) * 1000);
  const offsetMs = (offsetHour * 60 + offsetMinute) * 60_000 * (match[8] === "-" ? -1 : 1);
  return new Date(date.getTime() + second * 1000 + fractionMs - offsetMs);
}

function scalar(parse: (text: string) => Converted): (values: readonly string[]) => Converted {
  return (values) => {
    const text = values[0];
    if (text === undefined) return Absent;
    // A browser sends an empty box as "": nothing was typed.
    if (text === "") return Absent;
    if (text.length > MAX_SCALAR_CHARS) return Unconvertible;
    const trimmed = text.trim();
    return trimmed === "" ? Absent : parse(trimmed);
  };
}

function textFromForm(values: readonly string[]): Converted {
  const text = values[0];
  return text === undefined ? Absent : textFromJson(text);
}

function textFromJson(value: unknown): Converted {
  // A lone surrogate is not a character: it can be neither stored nor sent as UTF-8.
  return typeof value === "string" && value.isWellFormed() ? value : Unconvertible;
}

function textsFromForm(values: readonly string[]): Converted {
  if (values.length === 0) return Absent;
  // A hidden input with an empty value is how a form submits "none chosen".
  if (values.length === 1 && values[0] === "") return [];
  return textsFromJson(values);
}

function textsFromJson(value: unknown): Converted {
  if (!Array.isArray(value)) return Unconvertible;
  const texts: string[] = [];
  for (const item of value) {
    if (typeof item !== "string" || !item.isWellFormed()) return Unconvertible;
    texts.push(item);
  }
  return texts;
}

/** Any true value wins: a hidden input with 0 before the checkbox is a common idiom. */
function boolFromForm(values: readonly string[]): Converted {
  let result: Converted = Absent;
  for (const value of values) {
    switch (value) {
      case "on":
      case "true":
      case "1":
        result = true;
        break;
      case "":
        break;
      case "off":
      case "false":
      case "0":
        if (result === Absent) result = false;
        break;
      default:
        return Unconvertible;
    }
  }
  return result;
}

function boolFromJson(value: unknown): Converted {
  return typeof value === "boolean" ? value : Unconvertible;
}

function intFromJson(value: unknown): Converted {
  return typeof value === "number" && Number.isInteger(value) ? safeInteger(value) : Unconvertible;
}

function floatFromJson(value: unknown): Converted {
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : Unconvertible;
}

function int64FromJson(value: unknown): Converted {
  if (typeof value === "number") {
    return Number.isSafeInteger(value) ? BigInt(value) : Unconvertible;
  }
  if (typeof value !== "string" || value.length > MAX_SCALAR_CHARS) return Unconvertible;
  return parseInt64(value);
}

function dateFromJson(value: unknown): Converted {
  if (typeof value !== "string" || value.length > MAX_SCALAR_CHARS) return Unconvertible;
  const date = parseDate(value);
  return date === Unconvertible ? parseRfc3339(value) : date;
}

/** RFC 5321, 4.5.3.1.3: a path has at most 256 octets, two of them the angle brackets. */
const MAX_EMAIL_CHARS = 254;

/** RFC 9110, 4.1: the length that all recipients should support. */
const MAX_URL_CHARS = 8_000;

/**
 * What `type=email` of HTML takes in ASCII, and letters beyond it: brackets, quotes and commas are
 * syntax of mail headers, where `<a@b.co>` is another spelling of the same mailbox. Control characters,
 * lone surrogates and what is invisible are refused on both sides. No part can match in two ways, so
 * that the time is linear.
 */
const EMAIL =
  /^[^\s@<>()[\],;:"\\\p{Cc}\p{Cf}\p{Cs}\p{DI}]+@(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-)(?:\.(?!-)[^\s\0-,./:-@[-`{-\x7f\p{Cc}\p{Cf}\p{Cs}\p{DI}]+(?<!-))+$/u;

/** White space, control characters and lone surrogates. */
// deno-lint-ignore no-control-regex -- control characters are what it looks for
const BLANK = /[\s\0-\x1f\x7f-\x9f\ud800-\udfff]/u;

/**
 * A common URL, recognised without a parser; what does not match is left to the parser, such as a
 * host with "--" (Punycode may be malformed) or whose last label starts with a digit (an address).
 */
const PLAIN_URL =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)*[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\/[\w\-./~!$&'()*+,;=:@]*)?(?:[?#][\w\-./~!$&'()*+,;=:@?#]*)?$/i;

/**
 * Counts the characters of a text: Unicode code points, where CR LF counts as one, since a browser
 * sends each line break of a `textarea` so and counts it as one for `maxlength`.
 *
 * @param text Any text.
 * @returns The number of characters.
 */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let i = 1; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const isPair = unit === 10
      ? text.charCodeAt(i - 1) === 13
      : (unit & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800;
    if (isPair) count--;
  }
  return count;
}

/**
 * Checks whether a text looks like an email address: what `type=email` of HTML takes in ASCII, letters
 * of all scripts, a domain with an inner dot, at most 254 characters, nothing invisible. Only a message
 * sent there proves more.
 *
 * @param text Any text.
 * @returns Whether it looks like an address.
 */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_CHARS && EMAIL.test(text);
}

/**
 * Checks whether a text is an absolute `http` or `https` URL as the WHATWG URL parser sees it,
 * written with both slashes and without white space, of at most 8,000 characters.
 *
 * @param text Any text.
 * @returns Whether it is such a URL.
 */
export function isWebUrl(text: string): boolean {
  if (text.length > MAX_URL_CHARS) return false;
  // Bench: bench/validate.
  if (PLAIN_URL.test(text)) return true;
  return /^https?:\/\/[^/\\?#]/i.test(text) && !BLANK.test(text) && URL.canParse(text);
}
