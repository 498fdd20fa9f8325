import type { Fetch } from "./fetch.ts";

/** A tag, with the entries that carry it. */
export interface Tag {
  /** Its name. */
  readonly name: string;
  /** Who carries it. */
  readonly entries: Set<Entry>;
}

/** What a cache holds under one name: a value, or a fetch that will bring one. */
export class Entry {
  /** The name, in the form of `ownName`. */
  readonly name: string;
  /** Its tags, each once. */
  readonly tags: readonly Tag[];
  /** The fetch that is under way; `undefined` once there is a value. */
  fetch: Fetch | undefined = undefined;
  /** What callers get. Those who find a value share it, so that a hit makes nothing (`bench/cache`). */
  promise: Promise<unknown> | undefined = undefined;
  /** How long the value is to be kept, in milliseconds. */
  keepMs = Infinity;
  /** When the value came. */
  storedAt = 0;
  /** When the value is too old. */
  expiresAt = Infinity;
  /** How many bytes count for it. */
  bytes = 0;
  /** Whether a table still holds it. */
  isHeld = true;
  /** The one that was used next after it, in a circle. */
  newer: Entry = this;
  /** The one that was used last before it, in a circle. */
  older: Entry = this;

  /** Made by `EntryTable`. */
  constructor(name: string, tags: readonly Tag[]) {
    this.name = name;
    this.tags = tags;
  }

  /** Whether the value may be given at this time. A clock that was set back makes it too old as well. */
  isFresh(now: number): boolean {
    return now < this.expiresAt && (now >= this.storedAt || this.expiresAt === Infinity);
  }
}
