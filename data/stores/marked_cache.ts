/** Caches in stores: an entry is valid while its marks keep the versions from before its value was created. */
import { type CacheStore, type CacheStoreKey, digestOf } from "../../runtime/addon.ts";

/** The maximum lifetime of an entry, in milliseconds. */
export const maxTtlMs = 30 * 86_400_000;

/** The lifetime of data that outlives entries, such as an invalidation's mark, in milliseconds. */
export const markTtlMs = maxTtlMs + 86_400_000;

const maxValueBytes = 1_048_576;

/** The versions of marks; a mark without a change that could still affect an entry has none. */
export type Marks = Readonly<Record<string, string>>;

export interface MarkedEntries {
  /** Reads an entry, and not earlier the versions of `marks` and of the entry's own marks. */
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
  /** Sets new versions of marks. Returns the number of removed entries; the remaining ones are invalid. */
  change(cache: string, marks: readonly string[]): Promise<number>;
  claim(cache: string, name: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
}

/** The prefix of an entry's name mark; the name follows. */
export const nameMark = "name:";

const tagMark = (tag: string): string => `tag:${digestOf(tag)}`;

/** Invalidates by changing a mark's version, so that an old value written later is never returned. */
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
      // V8's serialization restores dates and maps too.
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

/** Decodes a value and its tags; returns `undefined` for bytes of another program. */
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
