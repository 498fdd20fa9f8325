import { decodeCss } from "./css_transition.ts";
import { failsafe, stringify } from "./html.ts";
import { safeKindOf, safeTextOf } from "../safe.ts";

const special = /[\0\t\n\f\r"&'()+/:;<>\\{}]/g;

export function escapeCss(value: unknown): string {
  const text = stringify(value);
  return text.replace(special, (char, at: number) => {
    if (char === "\\") return "\\\\";
    const next = text[at + 1];
    // A space ends the escape if a hexadecimal digit would extend it.
    const needsSpace = next === undefined || /[0-9A-Fa-f\t\n\f\r ]/.test(next);
    return `\\${char.charCodeAt(0).toString(16)}${needsSpace ? " " : ""}`;
  });
}

// Also `<` and `>`, as in newer versions of Go, because they could end the element.
// A character reference is decoded in a style of SVG.
const banned = /[\0"'()/;@[\\\]`{}<>]|--|&[#A-Za-z]/;

/** Writes a property's value: numbers with units, keywords and colours; nothing that ends the value. */
export function filterCss(value: unknown): string {
  if (safeKindOf(value) === "css") return safeTextOf(value);
  const text = decodeCss(stringify(value));
  if (banned.test(text)) return failsafe;
  const word = text.replace(/\W/g, "").toLowerCase();
  return /expression|mozbinding/.test(word) ? failsafe : text;
}
