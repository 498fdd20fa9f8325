/** `printf`: the verbs of Go that make sense for the values of JavaScript. */

import { type FloatFormat, formatFloat } from "./numbers.ts";
import { quoteCharacter, quoteText } from "./quote.ts";
import {
  bytesOf,
  Fault,
  goType,
  kindOf,
  maxDepth,
  plainTextOf,
  sortedEntries,
  stringOf,
  tooDeep,
} from "./values.ts";

/** The maximum width and precision, as in Go. */
const maxWidth = 1_000_000;

/** The flags between the percent sign and the verb. */
class Flags {
  plus = false;
  /** `%+v`: member names are shown. */
  named = false;
  minus = false;
  sharp = false;
  space = false;
  zero = false;
  width: number | undefined;
  precision: number | undefined;
}

const flagNames: Readonly<Record<string, "plus" | "minus" | "sharp" | "space" | "zero">> = {
  "+": "plus",
  "-": "minus",
  "#": "sharp",
  "0": "zero",
};

const noFlags: Readonly<Flags> = new Flags();

/** Returns the text of a value as `%v` formats it. */
export function printValue(value: unknown): string {
  if (typeof value === "string") return value;
  return kindOf(value) === "nil" ? "<nil>" : formatOne("v", value, noFlags);
}

/**
 * Formats values.
 *
 * Verbs: `%v %+v %T %t %d %b %o %O %x %X %c %q %U %e %E %f %F %g %G %s %%`, with the flags `+ - #
 * 0` and space, width, precision, `*` and `[n]`. An integer fits the verbs of integers and of
 * decimals. A verb that does not fit its value is written as in Go: `%!d(string=a)`.
 */
export function formatAll(format: string, values: readonly unknown[]): string {
  let next = 0;
  let isReordered = false;
  let isGoodIndex = true;
  /** Moves to the value of `[n]`. */
  const seek = (index: string | undefined): boolean => {
    if (index === undefined) return false;
    isReordered = true;
    const number = Number(/^\[(\d+)\]$/.exec(index)?.[1] ?? 0);
    if (number < 1 || number > values.length) isGoodIndex = false;
    else next = number - 1;
    return true;
  };
  /** Reads a width or a precision; `undefined` if there is none or it is not a valid count. */
  const count = (text: string | undefined): number | undefined => {
    if (text === undefined) return undefined;
    if (text !== "*") return Math.min(Number(text), maxWidth);
    const value = values[next++];
    const isCount = typeof value === "number" && Number.isInteger(value) &&
      Math.abs(value) <= maxWidth;
    return isCount ? value : undefined;
  };
  const write = (verb: string, flags: Flags): string => {
    if (verb === "") return "%!(NOVERB)";
    if (verb === "%") return "%";
    if (!isGoodIndex) return `%!${verb}(BADINDEX)`;
    if (next >= values.length) return `%!${verb}(MISSING)`;
    if (verb === "v") [flags.named, flags.plus] = [flags.plus, false];
    return formatOne(verb, values[next++], flags);
  };
  const out = format.replace(
    directive,
    (_, signs, first, width, dot, second, precision, third, verb) => {
      const flags = readFlags(signs);
      isGoodIndex = true;
      const isIndexed = seek(first);
      const wide = count(width);
      const isBadWidth = wide === undefined && width === "*";
      if (wide !== undefined) flags.width = Math.abs(wide);
      if (wide !== undefined && wide < 0) [flags.minus, flags.zero] = [true, false];
      if (isIndexed && width !== "*" && (width ?? dot) !== undefined) isGoodIndex = false;
      seek(second);
      const precise = count(precision);
      const isBadPrecision = precision === "*" && (precise === undefined || precise < 0);
      if (dot !== undefined && !isBadPrecision) flags.precision = precise ?? 0;
      seek(third);
      return (isBadWidth ? "%!(BADWIDTH)" : "") + (isBadPrecision ? "%!(BADPREC)" : "") +
        write(verb, flags);
    },
  );
  if (isReordered || next >= values.length) return out;
  const extra = values.slice(next)
    .map((value) => kindOf(value) === "nil" ? "<nil>" : `${goType(value)}=${printValue(value)}`);
  return `${out}%!(EXTRA ${extra.join(", ")})`;
}

const index = String.raw`(\[\d{1,10}\]|\[[^\]]*\]|\[)?`;
const size = String.raw`(\*|\d{1,8})?`;
const directive = new RegExp(
  `%([-+# 0]*)${index}${size}(?:(\\.)${index}${size})?${index}([^]|$)`,
  "gu",
);

function readFlags(signs: string): Flags {
  const flags = new Flags();
  for (const sign of signs) flags[flagNames[sign] ?? "space"] = true;
  if (flags.minus) flags.zero = false;
  return flags;
}

function formatOne(verb: string, value: unknown, flags: Readonly<Flags>, depth = 0): string {
  if (verb === "T") return pad(goType(value), flags);
  if (verb === "p" || (verb === "v" && flags.sharp)) {
    throw new Fault(`printf has no %${flags.sharp ? "#" : ""}${verb}`, "write %v or %q");
  }
  switch (kindOf(value)) {
    case "nil":
      return verb === "v" ? pad("<nil>", flags) : `%!${verb}(<nil>)`;
    case "bool":
      return verb === "t" || verb === "v" ? pad(String(value), flags) : bad(verb, value);
    case "int":
      return formatInteger(verb, value as number | bigint, flags);
    case "float":
      return formatDecimal(verb, value as number, flags);
    case "string":
      return formatText(verb, plainTextOf(value) ?? "", flags) ?? bad(verb, value);
    case "function":
      if (verb !== "v") return bad(verb, value);
      throw new Fault("can't print a function", "call it: {{call .name}}");
    default:
      return formatCompound(verb, value as object, { flags, depth });
  }
}

const bad = (verb: string, value: unknown): string =>
  `%!${verb}(${goType(value)}=${kindOf(value) === "function" ? "func" : printValue(value)})`;

function formatCompound(
  verb: string,
  value: object,
  { flags, depth }: { readonly flags: Readonly<Flags>; readonly depth: number },
): string {
  if (depth > maxDepth) throw tooDeep();
  if (typeof value !== "object") throw new Fault(`can't print a ${typeof value}`, "pass a string");
  const text = stringOf(value);
  if (text !== undefined) {
    const shown = formatText(verb, text, flags);
    if (shown !== undefined) return shown;
  }
  const inner = (item: unknown): string => formatOne(verb, item, flags, depth + 1);
  const entries = sortedEntries(value);
  if (entries !== undefined) {
    const shown = entries.filter(([, item]) => typeof item !== "function");
    return `map[${shown.map(([key, item]) => `${inner(key)}:${inner(item)}`).join(" ")}]`;
  }
  if (kindOf(value) === "list") {
    return `[${Array.from(value as Iterable<unknown>, inner).join(" ")}]`;
  }
  const members = Object.entries(value).filter(([, item]) => typeof item !== "function");
  return `{${
    members.map(([key, item]) => (flags.named ? `${key}:` : "") + inner(item)).join(" ")
  }}`;
}

function formatInteger(verb: string, value: number | bigint, flags: Readonly<Flags>): string {
  const base = bases[verb];
  if (base !== undefined) {
    const [radix, prefix] = base;
    const text = padInteger(value, radix, flags.sharp || verb === "O" ? prefix : "", flags);
    return verb === "X" ? text.toUpperCase() : text;
  }
  switch (verb) {
    case "c":
      return pad(characterOf(value), flags);
    case "q":
      return pad(quoteCharacter(characterOf(value), flags.plus), flags);
    case "U":
      return pad(unicodeOf(value, flags.sharp), flags);
  }
  return isDecimalVerb(verb) ? formatDecimal(verb, Number(value), flags) : bad(verb, value);
}

/** The verbs of integers: the base and the prefix added by `#`. */
const bases: Readonly<Record<string, readonly [radix: number, prefix: string]>> = {
  v: [10, ""],
  d: [10, ""],
  b: [2, "0b"],
  o: [8, "0"],
  O: [8, "0o"],
  x: [16, "0x"],
  X: [16, "0x"],
};

function characterOf(value: number | bigint): string {
  const code = Number(value);
  const isScalar = code >= 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return String.fromCodePoint(isScalar ? code : 0xfffd);
}

function unicodeOf(value: number | bigint, isShown: boolean): string {
  const code = `U+${Number(value).toString(16).toUpperCase().padStart(4, "0")}`;
  return isShown ? `${code} '${characterOf(value)}'` : code;
}

function padInteger(
  value: number | bigint,
  radix: number,
  prefix: string,
  flags: Readonly<Flags>,
): string {
  const isNegative = value < 0;
  let digits = (isNegative ? -value : value === 0 ? 0 : value).toString(radix);
  const sign = isNegative ? "-" : flags.plus ? "+" : flags.space ? " " : "";
  if (flags.precision !== undefined) {
    if (flags.precision === 0 && digits === "0") return " ".repeat(flags.width ?? 0);
    digits = digits.padStart(flags.precision, "0");
  } else if (flags.zero && flags.width !== undefined) {
    digits = digits.padStart(flags.width - sign.length, "0");
  }
  const marked = prefix === "0" && digits.startsWith("0") ? digits : prefix + digits;
  return pad(sign + marked, { ...flags, zero: false });
}

const isDecimalVerb = (verb: string): verb is FloatFormat => /^[eEfFgG]$/.test(verb);

function formatDecimal(verb: string, value: number, flags: Readonly<Flags>): string {
  if (verb !== "v" && !isDecimalVerb(verb)) return bad(verb, value);
  const format = verb === "v" ? "g" : verb;
  const digits = flags.precision ?? ("eEfF".includes(format) ? 6 : undefined);
  const text = formatFloat(value, format, digits);
  const isPlain = !/^[+-]/.test(text);
  const sign = isPlain ? (flags.plus ? "+" : flags.space ? " " : "") : text.slice(0, 1);
  const isInfinite = text.endsWith("Inf");
  const shownSign = isInfinite && text.startsWith("+") && !flags.plus && verb === "v" ? "+" : sign;
  const number = isPlain ? text : text.slice(1);
  if (flags.zero && flags.width !== undefined && Number.isFinite(value)) {
    return shownSign + number.padStart(flags.width - shownSign.length, "0");
  }
  return pad(shownSign + number, { ...flags, zero: false });
}

function formatText(verb: string, text: string, flags: Readonly<Flags>): string | undefined {
  switch (verb) {
    case "v":
    case "s":
      return pad(truncate(text, flags), flags);
    case "q":
      return pad(quoteText(truncate(text, flags), flags), flags);
    case "x":
    case "X": {
      const hex = hexOf(text, flags);
      return pad(verb === "X" ? hex.toUpperCase() : hex, flags);
    }
    default:
      return undefined;
  }
}

function truncate(text: string, { precision }: Flags): string {
  if (precision === undefined || text.length <= precision) return text;
  return Array.from(text).slice(0, precision).join("");
}

function hexOf(text: string, flags: Readonly<Flags>): string {
  const bytes = bytesOf(text).slice(0, flags.precision);
  const prefix = flags.sharp ? "0x" : "";
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  if (flags.space) return digits.map((digit) => prefix + digit).join(" ");
  return digits.length === 0 ? "" : prefix + digits.join("");
}

function pad(text: string, { width, minus, zero }: Flags): string {
  if (width === undefined || text.length >= width * 2) return text;
  const missing = width - Array.from(text).length;
  if (missing <= 0) return text;
  return minus ? text + " ".repeat(missing) : (zero ? "0" : " ").repeat(missing) + text;
}
