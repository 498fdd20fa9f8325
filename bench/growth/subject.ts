/** Something that grows. */
export interface Subject {
  /** The part that grows. */
  readonly name: string;
  /** Makes the input of a size; the work on it is what is measured. */
  readonly prepare: (size: number) => () => unknown;
  /** The smallest size that is measured. */
  readonly least: number;
}

/** Joins as many texts as a size says. */
export function many(size: number, item: (index: number) => string, between = ""): string {
  return Array.from({ length: size }, (_, index) => item(index)).join(between);
}
