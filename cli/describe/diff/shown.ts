/**
 * Writes values of documents on one line.
 *
 * @module
 */

/** The most characters of a value in a line. */
const maxShown = 120;

/** Writes a value on one line. */
export function shown(value: unknown): string {
  const text = value === undefined ? "" : JSON.stringify(value) ?? "";
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
