import type { Entry, Tag } from "./entry.ts";
import { ownText } from "./own_name.ts";

/** Finds entries by tag, so that an invalidation costs what it drops. */
export class TagIndex {
  readonly #tags = new Map<string, Tag>();

  /** The tags of these names, made where there are none; each once. */
  open(names: readonly string[]): readonly Tag[] {
    if (names.length === 0) return noTags;
    const tags: Tag[] = [];
    for (const name of names) {
      const tag = this.#tags.get(name) ?? this.#make(name);
      if (!tags.includes(tag)) tags.push(tag);
    }
    return tags;
  }

  #make(name: string): Tag {
    const tag = { name: ownText(name), entries: new Set<Entry>() };
    this.#tags.set(tag.name, tag);
    return tag;
  }

  /** Who carries a tag. */
  entriesOf(name: string): Iterable<Entry> {
    return this.#tags.get(name)?.entries ?? [];
  }

  /** Lets an entry be found by its tags. */
  add(entry: Entry): void {
    for (const { entries } of entry.tags) entries.add(entry);
  }

  /** Forgets an entry, and the tags that nobody else carries. */
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

const noTags: readonly Tag[] = [];
