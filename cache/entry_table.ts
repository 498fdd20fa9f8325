import { Entry } from "./entry.ts";
import { Recency } from "./recency.ts";
import { TagIndex } from "./tag_index.ts";

/**
 * Number of entries visited for each new one: what has expired is gone when a quarter as many newcomers have
 * come as there are entries.
 */
const looksPerEntry = 4;

/** The limits of a table. */
export interface TableLimits {
  /** Maximum number of values. */
  readonly maxEntries: number;
  /** Maximum size, in bytes. */
  readonly maxBytes: number;
}

/** A table's information about a value. */
export interface KeptValue {
  /** Size, in bytes. */
  readonly bytes: number;
  /** For how long it may be given; `Infinity` where nothing bounds it. */
  readonly keepMs: number;
  /** The time. */
  readonly now: number;
}

/** The entries of a cache by name, by tag and by age. Fetches under way are in it and count for nothing. */
export class EntryTable {
  readonly #entries = new Map<string, Entry>();
  readonly #tags = new TagIndex();
  readonly #recency = new Recency();
  readonly #limits: TableLimits;
  #size = 0;
  #bytes = 0;
  /** The position of the search for expired entries. A timer would keep tests and processes waiting. */
  #sweep: Iterator<Entry>;

  /** Creates an empty table. */
  constructor(limits: TableLimits) {
    this.#limits = limits;
    this.#sweep = this.#entries.values();
  }

  /** Number of values. */
  get size(): number {
    return this.#size;
  }

  /** Size of the values, in bytes. */
  get bytes(): number {
    return this.#bytes;
  }

  /** The entry of a name. */
  find(name: string): Entry | undefined {
    return this.#entries.get(name);
  }

  /** Notes that an entry was used. */
  touch(entry: Entry): void {
    this.#recency.touch(entry);
  }

  /** Adds an entry without a value under a new name, and sweeps a few expired entries. */
  open(name: string, options: { readonly tags: readonly string[]; readonly now: number }): Entry {
    const { tags, now } = options;
    this.#dropExpired(now);
    const entry = new Entry(name, this.#tags.open(tags));
    this.#entries.set(name, entry);
    this.#tags.add(entry);
    return entry;
  }

  /** Indexes an entry by more tags. */
  addTags(entry: Entry, tags: readonly string[]): void {
    if (!entry.isHeld) return;
    entry.tags = [...entry.tags, ...this.#tags.open(tags)];
    this.#tags.add(entry);
  }

  /** Stores the entry's value and evicts the least recently used entries above the limit. */
  fill(entry: Entry, value: KeptValue): number {
    const { bytes, keepMs, now } = value;
    entry.fetch = undefined;
    entry.bytes = bytes;
    entry.expiresAt = keepMs === Infinity ? undefined : now + keepMs;
    this.#size++;
    this.#bytes += bytes;
    this.#recency.add(entry);
    return this.#evict();
  }

  /** Drops an entry and returns whether it had a value. A running fetch continues, but no new caller joins it. */
  drop(entry: Entry): boolean {
    if (!entry.isHeld) return false;
    entry.isHeld = false;
    this.#entries.delete(entry.name);
    this.#tags.remove(entry);
    if (entry.fetch !== undefined) return false;
    this.#recency.remove(entry);
    this.#size--;
    this.#bytes -= entry.bytes;
    return true;
  }

  /** Drops all that carry a tag; gives how many had a value. */
  dropTagged(tag: string): number {
    let dropped = 0;
    for (const entry of this.#tags.entriesOf(tag)) if (this.drop(entry)) dropped++;
    return dropped;
  }

  /** Drops all. */
  clear(): void {
    for (const entry of this.#entries.values()) entry.isHeld = false;
    this.#entries.clear();
    this.#tags.clear();
    this.#recency.clear();
    this.#size = this.#bytes = 0;
  }

  // With each newcomer, since an iterator that stands still keeps all earlier tables of a `Map` alive.
  #dropExpired(now: number): void {
    for (let looks = 0; looks < looksPerEntry; looks++) {
      const { done, value: entry } = this.#sweep.next();
      if (done === true) return void (this.#sweep = this.#entries.values());
      if (entry.expiresAt !== undefined && entry.expiresAt <= now) this.drop(entry);
    }
  }

  #evict(): number {
    const { maxEntries, maxBytes } = this.#limits;
    let evicted = 0;
    while (this.#size > maxEntries || this.#bytes > maxBytes) {
      const { oldest } = this.#recency;
      if (oldest === undefined) break;
      this.drop(oldest);
      evicted++;
    }
    return evicted;
  }
}
