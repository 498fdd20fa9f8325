import { digestOf } from "../../runtime/addon.ts";

/** The longest text that is a part of a key as it is; a whole key may have 2,048 bytes. */
const maxPartChars = 200;

/** The keys of one cache in a KV. */
export class KvCacheKeys {
  readonly #root: readonly string[];

  /** Creates the keys from the store's prefix and the cache's name. */
  constructor(prefix: string, cache: string) {
    this.#root = [prefix, cache];
  }

  /** Holds the value of a name. */
  entry(name: string): readonly string[] {
    return [...this.#root, "entry", ...partsOf(name)];
  }

  /** Changes its version whenever a tag is invalidated. */
  tag(tag: string): readonly string[] {
    return [...this.#root, "tag", ...partsOf(tag)];
  }

  /** Changes its version whenever the cache is cleared. */
  cleared(): readonly string[] {
    return [...this.#root, "cleared"];
  }

  /** Returns the key that records a tag of an entry. */
  row(tag: string, name: string): readonly string[] {
    return [...this.rows(tag), ...partsOf(name)];
  }

  /** The beginning of all rows of a tag. */
  rows(tag: string): readonly string[] {
    return [...this.#root, "row", ...partsOf(tag)];
  }

  /** The key of the entry that a row tells about. */
  entryOf(row: readonly unknown[]): readonly string[] {
    return [...this.#root, "entry", ...row.slice(-2).map(String)];
  }

  /** The beginnings of all that clearing the cache makes useless. */
  useless(): readonly (readonly string[])[] {
    return ["entry", "row"].map((kind) => [...this.#root, kind]);
  }
}

/** Returns a text as two parts of a key; no two texts have the same. */
function partsOf(text: string): readonly [kind: string, part: string] {
  // Keys are UTF-8, in which all lone surrogates are one.
  if (text.length <= maxPartChars && text.isWellFormed()) return ["text", text];
  return ["digest", digestOf(text)];
}
