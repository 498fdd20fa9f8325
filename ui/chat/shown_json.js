/**
 * Writes the arguments of a tool for a person: what cannot be seen in a text is written out. The server and
 * the script of a chat share this file, so that both show the same.
 *
 * @module
 */

/** Characters that make a text look different from what it holds. */
const deceptive = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * @param {unknown} value The parsed arguments, of which a name that comes twice has the value that counts.
 * @returns {string}
 */
export function shownJson(value) {
  return (JSON.stringify(value, null, 2) ?? "").replace(
    deceptive,
    (char) => char === "\n" ? char : `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}
