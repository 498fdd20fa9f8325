import { isJsonObject } from "@fw/fw/addon";

/** A difference at a place of a document. */
export interface Drift {
  readonly kind: "added" | "removed" | "changed";
  /** The place, such as `paths /api/events get responses 404`. */
  readonly place: string;
}

/** Finds the outermost differences: a new operation is one, whatever it contains. */
export function findDrift(before: unknown, after: unknown): readonly Drift[] {
  const drift: Drift[] = [];
  compare(before, after, []);
  return drift;

  function compare(one: unknown, other: unknown, path: readonly string[]): void {
    if (JSON.stringify(one) === JSON.stringify(other)) return;
    if (!isJsonObject(one) || !isJsonObject(other)) {
      drift.push({ kind: "changed", place: path.join(" ") });
      return;
    }
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const count = drift.length;
    for (const name of names) {
      const place = [...path, name].join(" ");
      if (!Object.hasOwn(other, name)) drift.push({ kind: "removed", place });
      else if (!Object.hasOwn(one, name)) drift.push({ kind: "added", place });
      else compare(one[name], other[name], [...path, name]);
    }
    // Only the order differs.
    if (drift.length === count) drift.push({ kind: "changed", place: path.join(" ") });
  }
}
