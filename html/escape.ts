/** Escaping of text and quoted attribute values. The bottom of the package: it imports nothing. */

const special = /[&<>"']/g;

/**
 * Escapes `&`, `<`, `>`, `"` and `'`, so that the result is inert as element text and inside a
 * quoted attribute value. It is not enough inside `script`, `style`, a comment, an unquoted
 * attribute value or a URL's scheme.
 *
 * @param text The text, of any length.
 * @returns The text itself when it holds nothing special, else a copy with character references.
 * @throws {TypeError} for a value that is not a string, such as an unvalidated value of a request body.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import * as h from "@fw/fw/h";
 *
 * assertEquals(h.escape(`Tom & "Jerry"`), "Tom &amp; &quot;Jerry&quot;");
 * ```
 */
export function escape(text: string): string {
  if (typeof text !== "string") {
    throw new TypeError(`Cannot escape ${describe(text)}: use a string.`);
  }
  // A call that broke off, by an overflow of the stack, must not let the next one begin further on.
  special.lastIndex = 0;
  // Most text holds nothing special: one test without a copy is the fast path (bench/html).
  return special.test(text) ? replaceSpecial(text) : text;
}

function describe(value: unknown): string {
  return value === null
    ? "null"
    : Array.isArray(value)
    ? "an array"
    : `a value of type ${typeof value}`;
}

function replaceSpecial(text: string): string {
  let out = "";
  let from = 0;
  do {
    const at = special.lastIndex - 1;
    out += text.slice(from, at) + reference(text.charCodeAt(at));
    from = at + 1;
  } while (special.test(text));
  return out + text.slice(from);
}

function reference(code: number): string {
  switch (code) {
    case 0x26:
      return "&amp;";
    case 0x3c:
      return "&lt;";
    case 0x3e:
      return "&gt;";
    case 0x22:
      return "&quot;";
    default:
      return "&#39;";
  }
}
