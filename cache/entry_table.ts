import { digestOf } from "../runtime/addon.ts";

interface Tag {
  readonly name: string;
  readonly entries: Set<Entry>;
}

const noTags: readonly Tag[] = [];

/**
 * The entry of one name: a value or a pending fetch. It is small, and the fields that a hit reads
 * come first, because memory reads dominate the time of a large cache (`bench/cache`).
 */
class Entry {
  /** The promise returned to callers. Hits share it, so that they allocate nothing. */
  promise: Promise<unknown> | undefined = undefined;
  isPending = true;
  expiresAt: number | undefined = undefined;
  newer: Entry = this;
  older: Entry = this;
  isHeld = true;
  readonly name: string;
  tags: readonly Tag[] = noTags;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Number of entries visited for each new one, so that all expired entries are removed after a
 * quarter as many new ones.
 */
const looksPerEntry = 4;

/** The entries of a cache by name, tag and last use. Pending fetches are included but not counted. */
export class EntryTable {
  readonly #entries = new Map<string, Entry>();
  readonly #tags = new Map<string, Tag>();
  readonly #recency = new Recency();
  readonly #maxEntries: number;
  #size = 0;
  /** The position of the sweep for expired entries. A timer would keep tests and processes alive. */
  #sweep: Iterator<Entry>;

  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries;
    this.#sweep = this.#entries.values();
  }

  get size(): number {
    return this.#size;
  }

  find(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  touch(entry: Entry): void {
    this.#recency.touch(entry);
  }

  /** Adds an entry without a value under a new name, and sweeps a few expired entries. */
  open(name: string, options: { readonly tags: readonly string[]; readonly now: number }): Entry {
    const { tags, now } = options;
    this.#dropExpired(now);
    const entry = new Entry(name);
    this.#entries.set(name, entry);
    this.addTags(entry, tags);
    return entry;
  }

  addTags(entry: Entry, tags: readonly string[]): void {
    if (!entry.isHeld) return;
    const more = tags.map((name) =>
      this.#tags.getOrInsertComputed(name, () => ({ name, entries: new Set() }))
    );
    for (const { entries } of more) entries.add(entry);
    entry.tags = entry.tags.length === 0 ? more : [...entry.tags, ...more];
  }

  /** Marks an entry as filled. Returns whether the least recently used one was evicted for it. */
  fill(entry: Entry, expiresAt: number | undefined): boolean {
    entry.isPending = false;
    entry.expiresAt = expiresAt;
    this.#size++;
    this.#recency.add(entry);
    const { oldest } = this.#recency;
    return this.#size > this.#maxEntries && oldest !== undefined && this.drop(oldest);
  }

  /** Drops an entry and returns whether it had a value. A running fetch continues, but no new caller joins it. */
  drop(entry: Entry): boolean {
    if (!entry.isHeld) return false;
    entry.isHeld = false;
    this.#entries.delete(entry.name);
    for (const { name, entries } of entry.tags) {
      entries.delete(entry);
      if (entries.size === 0) this.#tags.delete(name);
    }
    if (entry.isPending) return false;
    this.#recency.remove(entry);
    this.#size--;
    return true;
  }

  dropNamed(name: string): void {
    const entry = this.#entries.get(name);
    if (entry !== undefined) this.drop(entry);
  }

  dropTagged(tag: string): number {
    let dropped = 0;
    for (const entry of this.#tags.get(tag)?.entries ?? []) if (this.drop(entry)) dropped++;
    return dropped;
  }

  clear(): void {
    for (const entry of this.#entries.values()) entry.isHeld = false;
    this.#entries.clear();
    this.#tags.clear();
    this.#recency.clear();
    this.#size = 0;
  }

  // For every new entry, because an idle iterator keeps all earlier tables of a `Map` alive.
  #dropExpired(now: number): void {
    for (let looks = 0; looks < looksPerEntry; looks++) {
      const { done, value: entry } = this.#sweep.next();
      if (done === true) return void (this.#sweep = this.#entries.values());
      if (entry.expiresAt !== undefined && entry.expiresAt <= now) this.drop(entry);
    }
  }
}

/** The entries in order of last use: a circular linked list with a sentinel. */
class Recency {
  readonly #end = new Entry("");

  get oldest(): Entry | undefined {
    const { newer } = this.#end;
    return newer === this.#end ? undefined : newer;
  }

  add(entry: Entry): void {
    const end = this.#end;
    const last = end.older;
    entry.older = last;
    entry.newer = end;
    last.newer = entry;
    end.older = entry;
  }

  touch(entry: Entry): void {
    if (this.#end.older === entry) return;
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
    this.add(entry);
  }

  remove(entry: Entry): void {
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
    // A removed entry that is still referenced must not keep its neighbours alive.
    entry.newer = entry.older = entry;
  }

  clear(): void {
    this.#end.newer = this.#end.older = this.#end;
  }
}

/** The maximum length of a name that is used unchanged. */
export const maxNameChars = 512;

/**
 * Returns the internal form of a name or a tag: one longer than {@link maxNameChars} is cut and
 * gets a digest. Names from clients must not fill the memory, and V8 gives all very long strings of
 * the same length the same hash.
 */
export function ownName(name: string): string {
  if (name.length <= maxNameChars) return name;
  // The result is longer than every unchanged name, so no name can collide with it.
  return name.slice(0, maxNameChars) + digestOf(name);
}

export type { Entry };
