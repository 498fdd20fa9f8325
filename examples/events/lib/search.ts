const maxWords = 8;

/**
 * Converts a search text to a query of SQLite's full-text search: every word must occur, at least
 * as the start of a longer one. Only letters and digits are kept, so that no input is a syntax
 * error.
 *
 * @returns The query, or `undefined` if the text contains no word.
 */
export function toMatch(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.slice(0, maxWords) ?? [];
  return words.length === 0 ? undefined : words.map((word) => `"${word}"*`).join(" ");
}
