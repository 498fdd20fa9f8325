/** An input that can grow. */
export interface Subject {
  /** The name of the growing part. */
  readonly name: string;
  /** Creates an input of a size and returns the work to measure. */
  readonly prepare: (size: number) => () => unknown;
  /** The smallest measured size. */
  readonly least: number;
}

/** Joins `size` texts. */
export function many(size: number, item: (index: number) => string, between = ""): string {
  return Array.from({ length: size }, (_, index) => item(index)).join(between);
}
