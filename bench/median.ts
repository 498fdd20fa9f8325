/**
 * The middle of measurements, which one slow round does not move.
 *
 * @module
 */

/** Returns the middle value, or the mean of the two in the middle; `NaN` for none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the median ratio of two series, compared round by round, since a busy machine slows whole rounds. */
export function medianRatio(values: readonly number[] = [], base: readonly number[] = []): number {
  return median(values.map((value, round) => value / (base[round] ?? NaN)));
}
