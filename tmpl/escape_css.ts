/** Escaping for CSS: values, and strings that are no URL. */

import { failsafe, kindOfSafe, stringify } from "./escape_html.ts";
import { safeTextOf } from "./safe.ts";

const special = /[\0\t\n\f\r"&'()+/:;<>\\{}]/g;

/** Writes a value in a CSS string. */
export function escapeCss(value: unknown): string {
  const text = stringify(value);
  return text.replace(special, (char, at: number) => {
    if (char === "\\") return "\\\\";
    const next = text[at + 1];
    // A space ends the escape where a digit would go on with it.
    const needsSpace = next === undefined || /[0-9A-Fa-f\t\n\f\r ]/.test(next);
    return `\\${char.charCodeAt(0).toString(16)}${needsSpace ? " " : ""}`;
  });
}

const escape = /\\(?:([0-9A-Fa-f]{1,6})(?:\r\n|[\t\n\f\r ])?|([^]|$))/gu;

/** Reads the escapes of CSS. */
export function decodeCss(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(escape, (_, hex: string | undefined, char: string) => {
    if (hex === undefined) return char;
    let code = Number.parseInt(hex, 16);
    let rest = "";
    if (code > 0x10ffff) {
      rest = hex.slice(-1);
      code = code >> 4;
    }
    const isScalar = code < 0xd800 || code > 0xdfff;
    return (isScalar ? String.fromCodePoint(code) : "\ufffd") + rest;
  });
}

// Also `<` and `>`, as newer versions of Go have it: they would end the element.
const banned = /[\0"'()/;@[\\\]`{}<>]|--/;

/** Writes a value of a property: numbers with units, keywords, colours; nothing that ends the value. */
export function filterCss(value: unknown): string {
  if (kindOfSafe(value) === "css") return safeTextOf(value as object);
  const text = decodeCss(stringify(value));
  if (banned.test(text)) return failsafe;
  const word = text.replace(/[^A-Za-z0-9_-]/g, "").toLowerCase();
  return /expression|mozbinding/.test(word) ? failsafe : text;
}
