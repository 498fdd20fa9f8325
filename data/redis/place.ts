import type { Connection } from "./client.ts";

/** A connection with the names of its keys. */
export interface Place {
  readonly server: Connection;
  readonly prefix: string;
  readonly now: () => number;
}

/** The longest life of what is kept, in milliseconds. */
export const maxTtlMs = 30 * 86_400_000;

/** The life of what outlives a value, such as the mark of an invalidation, in milliseconds. */
export const markTtlMs = maxTtlMs + 86_400_000;
