const maxWords = 8;

/**
 * Turns what a visitor typed into a query of SQLite's full-text search: every word must occur, and
 * each may be the start of a longer one. Only letters and digits get through, so that no input is a
 * syntax error.
 *
 * @returns The query, or `undefined` when there is no word in the text.
 */
export function toMatch(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}]+/gu)?.slice(0, maxWords) ?? [];
  return words.length === 0 ? undefined : words.map((word) => `"${word}"*`).join(" ");
}
