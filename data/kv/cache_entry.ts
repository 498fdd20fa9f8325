/** A value as it is in a KV. */
export interface KvCacheEntry {
  /** The value. */
  readonly value: unknown;
  /** When it is too old, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** The version of the cache's clearing that it was made under. */
  readonly cleared: string | null;
  /** Its tags, each with the version that it was made under. */
  readonly tags: readonly TagVersion[];
}

/** A tag with the version of its key. */
export type TagVersion = readonly [tag: string, version: string | null];

/** The mark of a deleted entry, so that a fetch under way cannot put it back. */
export const deletedEntry = "deleted";

/** Reads what a KV had; `undefined` for what this module did not write. */
export function parseKvEntry(found: unknown): KvCacheEntry | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const { expiresAt, cleared, tags }: Partial<Record<keyof KvCacheEntry, unknown>> = found;
  if (!("value" in found) || typeof expiresAt !== "number" || !isVersion(cleared)) return undefined;
  if (!Array.isArray(tags) || !tags.every(isTagVersion)) return undefined;
  return { value: found.value, expiresAt, cleared, tags };
}

function isTagVersion(pair: unknown): pair is TagVersion {
  return Array.isArray(pair) && pair.length === 2 && typeof pair[0] === "string" &&
    isVersion(pair[1]);
}

function isVersion(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
