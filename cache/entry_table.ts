import { digestOf } from "../runtime/addon.ts";

interface Tag {
  readonly name: string;
  readonly entries: Set<Entry>;
}

const noTags: readonly Tag[] = [];

/**
 * The entry of one name: a value, or a fetch that will bring one. It is small, and what a hit reads comes
 * first, since a large cache is slow by what it reads from memory (`bench/cache`).
 */
class Entry {
  /** The promise of the callers. Those who find a value share it, so that a hit makes nothing. */
  promise: Promise<unknown> | undefined = undefined;
  /** Whether a fetch is under way. */
  isPending = true;
  /** When the value is too old; `undefined` where it never is. */
  expiresAt: number | undefined = undefined;
  /** The one that was used next after it, in a circle. */
  newer: Entry = this;
  /** The one that was used last before it, in a circle. */
  older: Entry = this;
  isHeld = true;
  /** The name, in the form of `ownName`. */
  readonly name: string;
  /** A store may add some. */
  tags: readonly Tag[] = noTags;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * Number of entries visited for each new one: what has expired is gone when a quarter as many newcomers have
 * come as there are entries.
 */
const looksPerEntry = 4;

/** The entries of a cache by name, by tag and by age. Fetches under way are in it and count for nothing. */
export class EntryTable {
  readonly #entries = new Map<string, Entry>();
  readonly #tags = new Map<string, Tag>();
  readonly #recency = new Recency();
  readonly #maxEntries: number;
  #size = 0;
  /** The position of the search for expired entries. A timer would keep tests and processes waiting. */
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

  /** Notes that an entry has its value. Returns whether the least recently used one had to go for it. */
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

  /** Drops all that carry a tag; gives how many had a value. */
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

  // With each newcomer, since an iterator that stands still keeps all earlier tables of a `Map` alive.
  #dropExpired(now: number): void {
    for (let looks = 0; looks < looksPerEntry; looks++) {
      const { done, value: entry } = this.#sweep.next();
      if (done === true) return void (this.#sweep = this.#entries.values());
      if (entry.expiresAt !== undefined && entry.expiresAt <= now) this.drop(entry);
    }
  }
}

/** The entries in the order of their last use: a circle of links, with an end that is not an entry. */
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

/** The longest name that stands for itself. */
export const maxNameChars = 512;

/**
 * Returns the form in which a cache knows a name or a tag. Of one that is longer than
 * {@link maxNameChars} it is the beginning and a digest: names that clients make up must not fill
 * the memory, and V8 gives all very long texts of one length the same place in a `Map`.
 */
export function ownName(name: string): string {
  if (name.length <= maxNameChars) return name;
  // It is longer than every name that stands for itself, so that no name can be made up that is the form
  // of another.
  return name.slice(0, maxNameChars) + digestOf(name);
}

export type { Entry };
