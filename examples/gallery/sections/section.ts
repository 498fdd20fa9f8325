import type { Ctx, Node } from "@fw/fw";

/** A page of the gallery with related components. */
export interface Section {
  /** The name in the URL. */
  readonly name: string;
  /** The heading. */
  readonly title: string;
  /** The purpose of the components. */
  readonly lead: string;
  /** The examples in order. */
  readonly examples: readonly Example[];
  /** The source of the file with the examples, each of which shows its part. */
  readonly source: string;
}

/** One example. */
export interface Example {
  /** The heading. */
  readonly title: string;
  /** Notes about the example. */
  readonly text?: string;
  /** Renders the example; its body is the displayed code. */
  readonly make: (c: Ctx) => Node;
}
