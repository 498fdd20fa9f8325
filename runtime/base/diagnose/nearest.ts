const maxChars = 200;

/** Returns the candidate closest to a misspelt name, or `undefined` if none is close. */
export function findNearest(text: string, candidates: readonly string[]): string | undefined {
  // The distance takes quadratic time, and no typo needs a longer text.
  if (text.length > maxChars) return undefined;
  const written = text.toLowerCase();
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(text.length / 3)) + 1;
  for (const candidate of candidates) {
    if (candidate.length > 2 * maxChars) continue;
    const distance = editDistance(written, candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Returns the edit distance: insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(Math.min(
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        isSwap ? (before[column - 2] ?? Infinity) + 1 : Infinity,
      ));
    }
    before = previous;
    previous = current;
  }
  return previous[b.length] ?? b.length;
}
