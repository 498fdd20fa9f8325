export interface Pending {
  readonly promise: Promise<unknown>;
  /** Registers a waiter; returns an error if the wait would never end. */
  join(): TypeError | undefined;
}

export interface Tag {
  readonly name: string;
  readonly entries: Set<Entry>;
}

/**
 * The entry of one name: a value, or a fetch that will bring one. It is small, and what a hit reads comes
 * first, since a large cache is slow by what it reads from memory (`bench/cache`).
 */
export class Entry {
  /** The promise of the callers. Those who find a value share it, so that a hit makes nothing. */
  promise: Promise<unknown> | undefined = undefined;
  /** The fetch that is under way; `undefined` once there is a value. */
  fetch: Pending | undefined = undefined;
  /** When the value is too old; `undefined` where it never is. */
  expiresAt: number | undefined = undefined;
  /** The one that was used next after it, in a circle. */
  newer: Entry = this;
  /** The one that was used last before it, in a circle. */
  older: Entry = this;
  isHeld = true;
  bytes = 0;
  /** The name, in the form of `ownName`. */
  readonly name: string;
  /** Its tags; a store may add some. */
  tags: readonly Tag[];

  constructor(name: string, tags: readonly Tag[]) {
    this.name = name;
    this.tags = tags;
  }
}
