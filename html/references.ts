/** Character references of HTML, read back into text. */

const named: Readonly<Record<string, string>> = {
  amp: "&",
  apos: "'",
  gt: ">",
  lt: "<",
  nbsp: "\u00a0",
  quot: '"',
};

// Without a semicolon only old names count, and in an attribute only where no name could go on:
// `?a=1&lt=2` holds no reference.
const reference = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|(amp|apos|gt|lt|nbsp|quot))(;?)/g;

/**
 * Reads the character references of an attribute's value: numbers, and the names by which text is
 * escaped. Any other name stays as it is written, which is what a URL with a bare `&` needs.
 *
 * @param text The value as it stands in the source.
 */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(reference, (whole, decimal, hex, name, semicolon, at: number) => {
    if (name !== undefined) {
      const next = text[at + whole.length] ?? "";
      const isName = semicolon === ";" || (name !== "apos" && !/[A-Za-z0-9=]/.test(next));
      return isName ? named[name] ?? whole : whole;
    }
    return fromCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
  });
}

function fromCode(code: number): string {
  const isText = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isText ? String.fromCodePoint(code) : "\ufffd";
}
