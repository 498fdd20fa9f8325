import type { Entry, Tag } from "./entry.ts";

/** Finds entries by tag, so that an invalidation costs what it drops. */
export class TagIndex {
  readonly #tags = new Map<string, Tag>();

  /** The tags of these names, made where there are none. */
  open(names: readonly string[]): readonly Tag[] {
    return names.map((name) => this.#tags.get(name) ?? this.#make(name));
  }

  #make(name: string): Tag {
    const tag = { name, entries: new Set<Entry>() };
    this.#tags.set(name, tag);
    return tag;
  }

  /** Returns the entries with a tag. */
  entriesOf(name: string): Iterable<Entry> {
    return this.#tags.get(name)?.entries ?? [];
  }

  /** Indexes an entry by its tags. */
  add(entry: Entry): void {
    for (const { entries } of entry.tags) entries.add(entry);
  }

  /** Removes an entry, and the tags that no other entry carries. */
  remove(entry: Entry): void {
    for (const { name, entries } of entry.tags) {
      entries.delete(entry);
      if (entries.size === 0) this.#tags.delete(name);
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#tags.clear();
  }
}
