import { parseLocalTime } from "../base/local_time.ts";
import { currentTexts } from "../base/texts.ts";
import type { LeafDef } from "./types.ts";

/** The field was not sent, or was sent empty. */
export const Absent: unique symbol = Symbol("absent");
export const Unconvertible: unique symbol = Symbol("unconvertible");
export const TooLarge: unique symbol = Symbol("too large");
export const TooSmall: unique symbol = Symbol("too small");

export type Converted = unknown;

export interface LeafReader {
  /** Reads the values of a form field; local times are those of the zone. */
  readonly fromForm: (values: readonly string[], zone?: () => string) => Converted;
  /** Reads a JSON value that is neither `undefined` nor `null`. */
  readonly fromJson: (value: unknown) => Converted;
  readonly zero: () => unknown;
}

/** The maximum length of a number or a date; a longer text is refused unread. */
export const maxScalarChars = 64;

const readers: Readonly<Record<Exclude<LeafDef["kind"], "money">, LeafReader>> = {
  text: textReader(isCleanText),
  texts: { fromForm: textsFromForm, fromJson: textsFromJson, zero: () => [] },
  bool: {
    fromForm: boolFromForm,
    fromJson: (value) => typeof value === "boolean" ? value : Unconvertible,
    zero: () => false,
  },
  int: numberReader(parseInt10, intFromJson),
  int64: { ...numberReader(parseInt64, int64FromJson), zero: () => 0n },
  float: numberReader(parseFloat10, floatFromJson),
  date: dateReader(parseDate),
  day: dateReader(parseDay),
};

const passwordReader = textReader((text) => text.isWellFormed());

export function readerOf(def: LeafDef): LeafReader {
  const { kind, currency = "" } = def;
  if (kind === "money") {
    return numberReader((text) => safeInteger(parseMoney(text, { currency })), intFromJson);
  }
  return def.rules.split(",").includes("password") ? passwordReader : readers[kind];
}

/** Reads the parameter of a rule, in which amounts have the notation of code in every language. */
export function parseParam(def: LeafDef, text: string): Converted {
  const { kind, currency = "" } = def;
  return kind === "money"
    ? safeInteger(parseMoney(text, { currency, language: "en" }))
    : readerOf(def).fromForm([text]);
}

function textReader(accepts: (text: string) => boolean): LeafReader {
  const fromJson = (value: unknown): Converted =>
    typeof value === "string" && accepts(value) ? value : Unconvertible;
  return {
    fromForm: ([text]) => text === undefined ? Absent : fromJson(text),
    fromJson,
    zero: () => "",
  };
}

function numberReader(
  parse: (text: string) => Converted,
  fromJson: (value: unknown) => Converted,
): LeafReader {
  return { fromForm: scalar(parse, plainDigits), fromJson, zero: () => 0 };
}

/** Writes digits of other scripts as ASCII: keyboards type them, and `Intl` writes them for some languages. */
function plainDigits(text: string): string {
  return text.replaceAll("\u066b", ".").replace(/[\p{Nd}&&[\u0600-\uffff]]/gv, (digit) => {
    // The ten digits of a script start at a multiple of 16, or 6 after it.
    const code = digit.charCodeAt(0);
    const isEven = /\p{Nd}/u.test(String.fromCharCode(code & ~15));
    return String((code & 15) - (isEven ? 0 : 6));
  });
}

function dateReader(parse: (text: string, zone?: () => string) => Converted): LeafReader {
  return {
    fromForm: scalar(parse),
    fromJson: (value) =>
      typeof value === "string" && value.length <= maxScalarChars ? parse(value) : Unconvertible,
    zero: () => null,
  };
}

function scalar(
  parse: (text: string, zone?: () => string) => Converted,
  toAscii?: (text: string) => string,
): LeafReader["fromForm"] {
  return ([text = ""], zone) => {
    // Browsers send an empty input as "".
    if (text === "") return Absent;
    if (text.length > maxScalarChars) return Unconvertible;
    const trimmed = text.trim();
    if (trimmed === "") return Absent;
    const isForeign = toAscii !== undefined && /[\u0600-\uffff]/.test(trimmed);
    return parse(isForeign ? toAscii(trimmed) : trimmed, zone);
  };
}

/** Accepts signs and leading zeros, but no exponents, hex or fractions. */
function parseInt10(text: string): Converted {
  return /^[+-]?\d+$/.test(text) ? safeInteger(Number(text)) : Unconvertible;
}

function safeInteger(value: number): Converted {
  if (Number.isNaN(value)) return Unconvertible;
  // Adding zero turns -0 into 0.
  return Number.isSafeInteger(value) ? value + 0 : value > 0 ? TooLarge : TooSmall;
}

function parseInt64(text: string): Converted {
  if (!/^[+-]?\d+$/.test(text)) return Unconvertible;
  const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
  if (value >= 2n ** 63n) return TooLarge;
  return value < -(2n ** 63n) ? TooSmall : value;
}

/** Accepts an exponent, because `<input type="number">` sends one, but no hex or grouping. */
function parseFloat10(text: string): Converted {
  if (!/^[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d{1,3})?$/.test(text)) return Unconvertible;
  return floatFromJson(Number(text.replace(",", ".")));
}

function intFromJson(value: unknown): Converted {
  return typeof value === "number" && Number.isInteger(value) ? safeInteger(value) : Unconvertible;
}

function floatFromJson(value: unknown): Converted {
  return typeof value === "number" && Number.isFinite(value) ? value + 0 : Unconvertible;
}

function int64FromJson(value: unknown): Converted {
  if (typeof value === "number") return Number.isSafeInteger(value) ? BigInt(value) : Unconvertible;
  if (typeof value !== "string" || value.length > maxScalarChars) return Unconvertible;
  return parseInt64(value);
}

/** The date and the local date and time of HTML, and RFC 3339, as `JSON.stringify` writes a `Date`. */
const instant =
  /^(\d{4}-\d{2}-\d{2})(?:[Tt ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?)([Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/;

/** Parses a day (midnight in UTC) or an instant; without an offset, it is in `zone`, else in UTC. */
function parseDate(text: string, zone?: () => string): Converted {
  const [, day = "", time, offset] = instant.exec(text) ?? [];
  if (parseDay(day) === Unconvertible) return Unconvertible;
  const date = new Date(`${day}T${time ?? "00:00"}${offset?.toUpperCase() ?? "Z"}`);
  const isLocal = time !== undefined && offset === undefined;
  const own = isLocal ? zone?.() ?? "UTC" : "UTC";
  const read = own === "UTC" ? date : parseLocalTime(date.toISOString().slice(0, -1), own);
  const year = read instanceof Date ? read.getUTCFullYear() : 1;
  // An offset can leave the years that `parseDay` accepts.
  return year >= 1 && year <= 9_999 ? read : Unconvertible;
}

/** Parses an existing day. Year 0 is refused, because neither HTML nor Postgres has it. */
function parseDay(text: string): Converted {
  const isDay = /^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text) &&
    // `Date` reads the last days of a short month as the first of the next.
    new Date(`${text}T00:00Z`).getUTCDate() === Number(text.slice(-2));
  return isDay ? text : Unconvertible;
}

/**
 * Reports whether a string has no lone surrogate, which can be neither stored nor sent as UTF-8, and no
 * control character but tab, line feed and carriage return: databases cut a string at U+0000, and the others
 * are invisible.
 */
export function isCleanText(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  return text.isWellFormed() && !/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/.test(text);
}

function textsFromForm(values: readonly string[]): Converted {
  if (values.length === 0) return Absent;
  // A form submits "none chosen" by a hidden input with an empty value.
  if (values.length === 1 && values[0] === "") return [];
  return textsFromJson(values);
}

function textsFromJson(value: unknown): Converted {
  const areTexts = Array.isArray(value) &&
    value.every((item) => typeof item === "string" && isCleanText(item));
  return areTexts ? [...value] : Unconvertible;
}

/** Reads a checkbox; any true value wins, because a hidden input with 0 before the box is common. */
function boolFromForm(values: readonly string[]): Converted {
  const sent = values.filter((value) => value !== "");
  if (sent.some((value) => !/^(?:on|true|1|off|false|0)$/.test(value))) return Unconvertible;
  return sent.length === 0 ? Absent : sent.some((value) => /^(?:on|true|1)$/.test(value));
}

/** Options of {@link formatMoney}. */
export interface MoneyOptions {
  /** The ISO 4217 code. */
  readonly currency: string;
  /** The language whose separators are used. @default that of the request */
  readonly language?: string;
}

/** Parses an amount. Every language accepts a comma or a dot without grouping, as keypads have one. */
function parseMoney(
  text: string,
  { currency, language = currentLanguage() }: MoneyOptions,
): number {
  const { group, decimal, digits, symbols } = conventionsOf(language, currency);
  // Some languages use a different minus sign, and direction marks.
  const plain = text.replace("\u2212", "-").replace(/[\u200e\u200f\u061c]/g, "");
  const bare = symbols.reduce((rest, symbol) => rest.replace(symbol, ""), plain)
    .replace(/^([+-]?)\s+/, "$1").trim();
  const [, sign = "", whole, fraction = ""] =
    new RegExp(`^([+-]?)(\\d+|\\d{1,3}(?:${group}\\d{2,3})*${group}\\d{3})(?:${decimal}(\\d*))?$`)
      .exec(bare) ??
      /^([+-]?)(\d+)(?:[.,](\d*))?$/.exec(bare) ?? [];
  if (whole === undefined || fraction.length > digits) return NaN;
  return Number(sign + whole.replace(/\D/g, "") + fraction.padEnd(digits, "0"));
}

/**
 * Formats an amount without its currency, as `money` reads it in a form.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { formatMoney } from "@fw/fw/addon";
 *
 * assertEquals(formatMoney(123_450, { currency: "EUR", language: "pt" }), "1234,50");
 * ```
 */
export function formatMoney(
  minorUnits: number | bigint,
  { currency, language = currentLanguage() }: MoneyOptions,
): string {
  const { digits } = conventionsOf(language, currency);
  const text = String(minorUnits).replace("-", "").padStart(digits + 1, "0");
  const whole = text.slice(0, text.length - digits);
  const amount = digits === 0 ? whole : `${whole}.${text.slice(-digits)}`;
  const format = new Intl.NumberFormat([language, "en"], {
    minimumFractionDigits: digits,
    useGrouping: false,
  });
  // A string keeps all digits; a number would be rounded.
  return format.format(`${minorUnits < 0 ? "-" : ""}${amount}` as unknown as number);
}

function currentLanguage(): string {
  return currentTexts()?.language ?? "en";
}

/** The notation of amounts by currency and language, as sources of regular expressions. */
interface Conventions {
  readonly group: string;
  readonly decimal: string;
  readonly digits: number;
  readonly symbols: readonly string[];
}

const known = new Map<string, Conventions>();

function conventionsOf(language: string, currency: string): Conventions {
  const key = `${language} ${currency}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  const format = new Intl.NumberFormat([language, "en"], { style: "currency", currency });
  const parts = new Intl.NumberFormat([language, "en"]).formatToParts(-1_234_567.8);
  const part = (type: string): string => parts.find((each) => each.type === type)?.value ?? "";
  const separator = part("group");
  const conventions: Conventions = {
    // Spaces and apostrophes have several code points; users type the common one.
    group: /[.,]/.test(separator) ? `\\${separator}` : "[\\s'\u2019\u066c]",
    decimal: `\\${plainDigits(part("decimal"))}`,
    digits: format.resolvedOptions().maximumFractionDigits ?? 2,
    symbols: [
      currency,
      format.formatToParts(1).find(({ type }) => type === "currency")?.value ?? "",
    ],
  };
  // Applications have few languages and currencies.
  if (known.size < 200) known.set(key, conventions);
  return conventions;
}
