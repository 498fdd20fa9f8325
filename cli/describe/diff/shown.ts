/**
 * Writes values on one line. What is compared is compared whole: only a shown text is cut.
 *
 * @module
 */

/** The most characters of a value in a line. */
const maxShown = 120;

/** Returns a value as JSON, whole; `""` for none. */
export function jsonText(value: unknown): string {
  return value === undefined ? "" : JSON.stringify(value) ?? "";
}

/** Cuts a text that is too long for a line. */
export function shorten(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** Writes a value on one line. */
export function shown(value: unknown): string {
  return shorten(jsonText(value));
}
