/** The line width of `deno fmt`'s defaults. */
export const lineWidth = 80;

/** A name that the language needs no quotes around. */
export const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** Writes the name of a member of a type: in quotes where the language needs them. */
export function memberName(text: string): string {
  return identifier.test(text) ? text : literalSource(text);
}

function literalSource(text: string): string {
  // A quote inside would make the formatter choose other quotes around the text. A line separator in a
  // literal is legal, but editors count it as a line.
  const inner = JSON.stringify(text).slice(1, -1).replaceAll('\\"', "\\u0022").replace(
    /[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `"${inner}"`;
}
