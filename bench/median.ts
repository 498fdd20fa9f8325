/**
 * Medians of measurements, which a single slow round does not change.
 *
 * @module
 */

/** Returns the middle value, or the mean of the middle two; `NaN` for an empty list. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the median ratio of two series by round, because other load slows down whole rounds. */
export function medianRatio(values: readonly number[] = [], base: readonly number[] = []): number {
  return median(values.map((value, round) => value / (base[round] ?? NaN)));
}
