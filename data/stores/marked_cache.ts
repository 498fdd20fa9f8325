/** Caches in stores: an entry is given while its marks have the versions that they had before its value was made. */
import { type CacheStore, type CacheStoreKey, digestOf } from "../../runtime/addon.ts";

/** The longest life of what is kept, in milliseconds. */
export const maxTtlMs = 30 * 86_400_000;

/** The life of what outlives a value, such as the mark of an invalidation, in milliseconds. */
export const markTtlMs = maxTtlMs + 86_400_000;

const maxValueBytes = 1_048_576;

/** The versions of marks; none for a mark that was never changed, or not since all that it could end has expired. */
export type Marks = Readonly<Record<string, string>>;

/** Entries by cache and name, and the versions of marks of a cache. */
export interface MarkedEntries {
  /**
   * Reads an entry, and not before it the versions of the marks and of those that the entry has.
   *
   * @returns `entry` is `undefined` if there is none.
   */
  read(cache: string, name: string, marks: readonly string[]): Promise<{
    readonly entry:
      | { readonly value: Uint8Array; readonly marks: Marks; readonly leftMs: number }
      | undefined;
    readonly versions: Marks;
  }>;
  write(cache: string, name: string, entry: {
    readonly value: Uint8Array;
    readonly marks: Marks;
    readonly ttlMs: number;
  }): Promise<void>;
  /** Sets new versions of marks. Returns how many entries of them it removed: those that stay are no longer given. */
  change(cache: string, marks: readonly string[]): Promise<number>;
  claim(cache: string, name: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
}

/** The mark of an entry's name begins so; the name follows. */
export const nameMark = "name:";

const tagMark = (tag: string): string => `tag:${digestOf(tag)}`;

/** An invalidation changes the version of a mark, so that an older value is never given, even if it is written later. */
export function markedCache(entries: MarkedEntries): CacheStore {
  const marksOf = ({ name, tags }: CacheStoreKey): string[] => [
    "all",
    nameMark + digestOf(name),
    ...tags.map(tagMark),
  ];
  return {
    read: async (key) => {
      const { entry, versions } = await entries.read(key.cache, digestOf(key.name), marksOf(key));
      const isCurrent = entry !== undefined && entry.leftMs > 0 && "all" in entry.marks &&
        Object.entries(entry.marks).every(([mark, version]) => (versions[mark] ?? "") === version);
      const made = isCurrent ? await decode(entry.value) : undefined;
      return made === undefined
        ? { kind: "miss", version: versions }
        : { kind: "hit", ...made, leftMs: entry?.leftMs ?? 0 };
    },
    write: async (key, { value, ttlMs, version }) => {
      // Values come back as they were, dates and maps too.
      const { serialize } = await import("node:v8");
      const bytes = serialize({ value, tags: key.tags });
      if (bytes.length > maxValueBytes) return;
      const seen = version as Marks;
      const marks = Object.fromEntries(marksOf(key).map((mark) => [mark, seen[mark] ?? ""]));
      const ttl = Math.max(1, Math.ceil(Math.min(ttlMs, maxTtlMs)));
      await entries.write(key.cache, digestOf(key.name), { value: bytes, marks, ttlMs: ttl });
    },
    claim: ({ cache, name }, { version, ttlMs }) =>
      entries.claim(cache, digestOf(JSON.stringify([name, version])), Math.ceil(ttlMs)),
    invalidate: (cache, tags) => entries.change(cache, tags.map(tagMark)),
    delete: async (cache, names) => {
      await entries.change(cache, names.map((name) => nameMark + digestOf(name)));
    },
    clear: async (cache) => {
      await entries.change(cache, ["all"]);
    },
  };
}

/** Returns the value and the tags that it was written with; `undefined` for bytes of another program. */
async function decode(
  bytes: Uint8Array,
): Promise<{ readonly value: unknown; readonly tags: readonly string[] } | undefined> {
  const { deserialize } = await import("node:v8");
  try {
    const { value, tags } = deserialize(bytes);
    return Array.isArray(tags) ? { value, tags } : undefined;
  } catch {
    return undefined;
  }
}
