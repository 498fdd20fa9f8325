const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
  "\\": "\\",
};

// The last alternative matches invalid escapes, so that they are refused.
const escape =
  /((?:\\x[0-9a-fA-F]{2}|\\[0-7]{3})+)|\\(?:([abfnrtv\\'"])|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|[^]|$)/g;

/** Reads a quoted constant. @returns The text, or `undefined` if it is not a constant. */
export function unquoteLiteral(text: string): string | undefined {
  const quote = text[0];
  const inner = text.slice(1, -1);
  if (text.length < 2 || text.at(-1) !== quote) return undefined;
  if (quote === "`") return inner.includes("`") ? undefined : inner.replaceAll("\r", "");
  let isValid = !inner.includes("\n");
  const out = inner.replace(escape, (_, bytes, simple, short, long) => {
    const isOtherQuote = (simple === "'" || simple === '"') && simple !== quote;
    const char = bytes !== undefined
      ? decode(bytes)
      : simple === undefined
      ? fromCode(Number.parseInt(short ?? long, 16))
      : isOtherQuote
      ? undefined
      : escapes[simple] ?? simple;
    if (char === undefined) isValid = false;
    return char ?? "";
  });
  return isValid ? out : undefined;
}

function fromCode(code: number): string | undefined {
  const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isScalar ? String.fromCodePoint(code) : undefined;
}

const decoder = new TextDecoder();

/** Reads `\x` and octal escapes, which are bytes of UTF-8. */
function decode(escapes: string): string | undefined {
  const bytes = escapes.slice(1).split("\\").map((byte) =>
    byte.startsWith("x") ? Number.parseInt(byte.slice(1), 16) : Number.parseInt(byte, 8)
  );
  return bytes.some((byte) => byte > 255) ? undefined : decoder.decode(new Uint8Array(bytes));
}

/** Returns the code point of a character constant, or `undefined` if it is not one. */
export function parseCharacter(text: string): number | undefined {
  const octet = /^'\\(?:x([0-9a-fA-F]{2})|([0-7]{3}))'$/.exec(text);
  if (octet !== null) return Number.parseInt(octet[1] ?? octet[2] ?? "", octet[1] ? 16 : 8);
  const value = unquoteLiteral(text);
  return value !== undefined && [...value].length === 1 ? value.codePointAt(0) : undefined;
}

const integer =
  /^[+-]?(?:0[xX](?:_?[0-9a-fA-F])+|0[bB](?:_?[01])+|0[oO]?(?:_?[0-7])+|[1-9](?:_?\d)*|0)$/;
const decimal = /^[+-]?(?:\d(?:_?\d)*\.?(?:\d(?:_?\d)*)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?$/;
const hexFloat = /^([+-]?)0[xX]_?([0-9a-fA-F_]*)\.?([0-9a-fA-F_]*)[pP]([+-]?\d+)$/;
const mostInt = 2n ** 63n;

/** Reads a number constant; `undefined` if it is not one. Integers beyond 2^53 are a `bigint`. */
export function parseNumber(text: string): number | bigint | undefined {
  const plain = text.replaceAll("_", "");
  if (integer.test(text)) return parseInteger(plain);
  const hex = hexFloat.exec(text);
  if (hex !== null) return parseHexFloat(hex);
  const value = decimal.test(text) && /[.eE]/.test(text) ? Number(plain) : NaN;
  return Number.isFinite(value) ? value : undefined;
}

function parseInteger(plain: string): number | bigint | undefined {
  const magnitude = BigInt(plain.replace(/^[+-]/, "").replace(/^0(?=[0-7])/, "0o"));
  const value = plain.startsWith("-") ? -magnitude : magnitude;
  if (value >= mostInt || value < -mostInt) return undefined;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number + 0 : value;
}

function parseHexFloat(
  [, sign, whole = "", part = "", exponent]: RegExpExecArray,
): number | undefined {
  const digits = (whole + part).replaceAll("_", "");
  if (digits === "") return undefined;
  const scale = Number(exponent) - 4 * part.replaceAll("_", "").length;
  const value = Number(BigInt(`0x${digits}`)) * 2 ** scale;
  return sign === "-" ? -value : value;
}
