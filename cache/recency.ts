import { Entry } from "./entry.ts";

/** The entries in the order of their last use: a circle of links, with an end that is not an entry. */
export class Recency {
  readonly #end = new Entry("", []);

  /** The least recently used entry. */
  get oldest(): Entry | undefined {
    const { newer } = this.#end;
    return newer === this.#end ? undefined : newer;
  }

  /** Adds an entry as the newest. */
  add(entry: Entry): void {
    const end = this.#end;
    const last = end.older;
    entry.older = last;
    entry.newer = end;
    last.newer = entry;
    end.older = entry;
  }

  /** Marks an entry as the most recently used. */
  touch(entry: Entry): void {
    if (this.#end.older === entry) return;
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
    this.add(entry);
  }

  /** Removes an entry. */
  remove(entry: Entry): void {
    entry.newer.older = entry.older;
    entry.older.newer = entry.newer;
    // A removed entry that is still referenced must not keep its neighbours alive.
    entry.newer = entry.older = entry;
  }

  /** Removes all. */
  clear(): void {
    this.#end.newer = this.#end.older = this.#end;
  }
}
