import type { Ctx, Node } from "@fw/fw";

/** A page of the gallery: components that belong together. */
export interface Section {
  /** What stands in the URL. */
  readonly name: string;
  /** The heading. */
  readonly title: string;
  /** What the components are for. */
  readonly lead: string;
  /** The examples in their order. */
  readonly examples: readonly Example[];
  /** The source of the file that holds the examples, of which each shows its part. */
  readonly source: string;
}

/** One example. */
export interface Example {
  /** The heading. */
  readonly title: string;
  /** What to know about it. */
  readonly text?: string;
  /** Makes the example; its body is the code that is shown. */
  readonly make: (c: Ctx) => Node;
}
