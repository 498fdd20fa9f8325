import type {
  CacheClaim,
  CacheRead,
  CacheStore,
  CacheStoreKey,
  CacheWrite,
} from "../../runtime/addon.ts";
import { digestOf } from "../../runtime/addon.ts";
import { batches, type KvListed, type Place, readAll } from "./connection.ts";

/** The maximum number of changes in one commit. */
const maxChanges = 1_000;

/** The number of entries that one commit removes; it takes 100 checks. */
const maxRemoved = 100;

const dayMs = 86_400_000;

/** The maximum lifetime of an entry: Deno KV evicts nothing. */
const maxTtlMs = 30 * dayMs;

/** The time a fetch may take without missing an invalidation or deletion. */
const fetchMs = dayMs;

class Seen {
  readonly entry: string | null;
  readonly cleared: string | null;
  readonly tags: ReadonlyMap<string, string | null>;

  constructor(entry: string | null, cleared: string | null, tags: readonly TagVersion[]) {
    this.entry = entry;
    this.cleared = cleared;
    this.tags = new Map(tags);
  }
}

/**
 * An entry is written with the versions that its tags had before its value was made, and is given only while they still
 * have them: an invalidation changes the version of the tag, in one step, and counts for every replica from then on. The
 * entries themselves are removed afterwards. What takes more than 64 KiB is made anew for each call.
 */
export class KvCacheStore implements CacheStore {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  #keys(cache: string): CacheKeys {
    return cacheKeys(this.#place.prefix, cache);
  }

  async read({ cache, name, tags }: CacheStoreKey): Promise<CacheRead> {
    const keys = this.#keys(cache);
    // The entry first: versions that are read later can only be newer than it, never older.
    const [entry, cleared, ...versions] = await readAll(this.#place.kv, [
      keys.entry(name),
      keys.cleared,
      ...tags.map((tag) => keys.tag(tag)),
    ]);
    const seen = new Seen(
      entry?.versionstamp ?? null,
      cleared?.versionstamp ?? null,
      tags.map((tag, index) => [tag, versions[index]?.versionstamp ?? null]),
    );
    const stored = parseEntry(entry?.value);
    if (stored !== undefined) {
      const leftMs = stored.expiresAt - this.#place.now();
      if (leftMs > 0 && await this.#isCurrent(stored, { seen, keys })) {
        return { kind: "hit", value: stored.value, leftMs, tags: stored.tags.map(([tag]) => tag) };
      }
    }
    return { kind: "miss", version: seen };
  }

  /** Whether nothing has been invalidated since the value was made. */
  async #isCurrent(
    { cleared, tags }: CacheEntry,
    by: { readonly seen: Seen; readonly keys: CacheKeys },
  ): Promise<boolean> {
    if (cleared !== by.seen.cleared) return false;
    // Another caller may have written it with tags that this one does not name.
    const others = tags.filter(([tag]) => !by.seen.tags.has(tag));
    const found = others.length === 0
      ? []
      : await readAll(this.#place.kv, others.map(([tag]) => by.keys.tag(tag)));
    const versions = new Map(by.seen.tags);
    others.forEach(([tag], index) => versions.set(tag, found[index]?.versionstamp ?? null));
    return tags.every(([tag, version]) => versions.get(tag) === version);
  }

  async claim(
    { cache, name }: CacheStoreKey,
    { version, ttlMs }: CacheClaim,
  ): Promise<(() => Promise<void>) | undefined> {
    const { kv, now } = this.#place;
    const seen = version instanceof Seen ? [version.entry, version.cleared, ...version.tags] : [];
    const key = this.#keys(cache).claim(digestOf(JSON.stringify([name, seen])));
    const { value, versionstamp } = await kv.get(key);
    if (typeof value === "number" && value > now()) return undefined;
    const options = { expireIn: Math.ceil(ttlMs) };
    const claimed = await kv.atomic().check({ key, versionstamp })
      .set(key, now() + ttlMs, options).commit();
    if (!claimed.ok) return undefined;
    const own = claimed.versionstamp ?? null;
    // Unless it is another's by now.
    return async () =>
      void await kv.atomic().check({ key, versionstamp: own }).delete(key).commit();
  }

  async write({ cache, name, tags }: CacheStoreKey, entry: CacheWrite): Promise<void> {
    const { value, ttlMs, version: seen } = entry;
    if (!(seen instanceof Seen)) return;
    const keys = this.#keys(cache);
    const expireIn = Math.ceil(Math.min(ttlMs, maxTtlMs));
    const expiresAt = this.#place.now() + expireIn;
    const versions = tags.map((tag): TagVersion => [tag, seen.tags.get(tag) ?? null]);
    const stored: CacheEntry = { value, expiresAt, cleared: seen.cleared, tags: versions };
    try {
      const change = this.#place.kv.atomic()
        .check({ key: keys.entry(name), versionstamp: seen.entry })
        .set(keys.entry(name), stored, { expireIn });
      for (const tag of tags) change.set(keys.row(tag, name), expiresAt, { expireIn });
      // Where another replica wrote or deleted it meanwhile, what that one did stands.
      await change.commit();
    } catch (error) {
      if (!(error instanceof TypeError && error.message.includes("too large"))) throw error;
    }
  }

  async invalidate(cache: string, tags: readonly string[]): Promise<number> {
    const keys = this.#keys(cache);
    const mark = await this.#mark(tags.map((tag) => keys.tag(tag)));
    let dropped = 0;
    for (const tag of tags) {
      const rows = this.#listUpTo(mark, keys.rows(tag));
      for await (const batch of batchesOf(rows, maxRemoved)) {
        dropped += await this.#removeTagged(batch, keys);
      }
    }
    return dropped;
  }

  async delete(cache: string, names: readonly string[]): Promise<void> {
    const keys = this.#keys(cache);
    for (const batch of batches(names, maxChanges)) {
      const change = this.#place.kv.atomic();
      for (const name of batch) change.set(keys.entry(name), deletedEntry, { expireIn: fetchMs });
      await change.commit();
    }
  }

  async clear(cache: string): Promise<void> {
    const keys = this.#keys(cache);
    const mark = await this.#mark([keys.cleared]);
    for (const prefix of keys.useless) {
      for await (const batch of batchesOf(this.#listUpTo(mark, prefix), maxChanges)) {
        const change = this.#place.kv.atomic();
        for (const { key } of batch) change.delete(key.map(String));
        await change.commit();
      }
    }
  }

  /** Assigns a new version to the keys, which makes values of older versions invalid. */
  async #mark(keys: readonly (readonly string[])[]): Promise<string> {
    let mark = "";
    for (const batch of batches(keys, maxChanges)) {
      const change = this.#place.kv.atomic();
      // As long as there can be an entry that was made under the version before.
      const expireIn = maxTtlMs + fetchMs;
      for (const key of batch) change.set(key, 1, { expireIn });
      mark = (await change.commit()).versionstamp ?? "";
    }
    return mark;
  }

  /** The entries below a prefix that are no newer than a version. */
  async *#listUpTo(mark: string, prefix: readonly string[]): AsyncGenerator<KvListed> {
    for await (const listed of this.#place.kv.list({ prefix })) {
      if (listed.versionstamp <= mark) yield listed;
    }
  }

  /** Removes rows with their entries; gives how many of these could still have been given. */
  async #removeTagged(rows: readonly KvListed[], keys: CacheKeys): Promise<number> {
    const now = this.#place.now();
    const alive = (batch: readonly KvListed[]): number =>
      batch.filter(({ value }) => typeof value === "number" && value > now).length;
    if (await this.#remove(rows, keys)) return alive(rows);
    let dropped = 0;
    for (const row of rows) {
      if (await this.#remove([row], keys)) dropped += alive([row]);
      else await this.#place.kv.atomic().check(checkOf(row)).delete(checkOf(row).key).commit();
    }
    return dropped;
  }

  /** Removes rows with their entries, where each entry is still the one that its row was written with. */
  async #remove(rows: readonly KvListed[], keys: CacheKeys): Promise<boolean> {
    const change = this.#place.kv.atomic();
    for (const row of rows) {
      const key = keys.entryOf(row.key);
      change.check({ key, versionstamp: row.versionstamp }).delete(key).delete(checkOf(row).key);
    }
    return (await change.commit()).ok;
  }
}

function checkOf({ key, versionstamp }: KvListed): { key: string[]; versionstamp: string } {
  return { key: key.map(String), versionstamp };
}

async function* batchesOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    if (batch.push(item) < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface CacheEntry {
  readonly value: unknown;
  readonly expiresAt: number;
  readonly cleared: string | null;
  /** Its tags, each with the version that it was made under. */
  readonly tags: readonly TagVersion[];
}

/** A tag with the version of its key. */
type TagVersion = readonly [tag: string, version: string | null];

/** The mark of a deleted entry, so that a fetch under way cannot put it back. */
const deletedEntry = "deleted";

/** Reads what a KV had; `undefined` for what this module did not write. */
function parseEntry(found: unknown): CacheEntry | undefined {
  if (typeof found !== "object" || found === null) return undefined;
  const { expiresAt, cleared, tags }: Partial<Record<keyof CacheEntry, unknown>> = found;
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

type Key = readonly string[];

interface CacheKeys {
  /** Holds the value of a name. */
  readonly entry: (name: string) => Key;
  /** Is held by the replica that makes a value. */
  readonly claim: (digest: string) => Key;
  /** Changes its version whenever a tag is invalidated. */
  readonly tag: (tag: string) => Key;
  /** Changes its version whenever the cache is cleared. */
  readonly cleared: Key;
  /** Records a tag of an entry. */
  readonly row: (tag: string, name: string) => Key;
  /** The beginning of all rows of a tag. */
  readonly rows: (tag: string) => Key;
  /** The key of the entry that a row tells about. */
  readonly entryOf: (row: readonly unknown[]) => Key;
  /** The beginnings of all that clearing the cache makes useless. */
  readonly useless: readonly Key[];
}

function cacheKeys(prefix: string, cache: string): CacheKeys {
  const root = [prefix, "cache", cache];
  return {
    entry: (name) => [...root, "entry", ...keyParts(name)],
    claim: (digest) => [...root, "claim", digest],
    tag: (tag) => [...root, "tag", ...keyParts(tag)],
    cleared: [...root, "cleared"],
    row: (tag, name) => [...root, "row", ...keyParts(tag), ...keyParts(name)],
    rows: (tag) => [...root, "row", ...keyParts(tag)],
    entryOf: (row) => [...root, "entry", ...row.slice(-2).map(String)],
    useless: ["entry", "row"].map((kind) => [...root, kind]),
  };
}

/** The longest text that is a part of a key as it is; a whole key may have 2,048 bytes. */
const maxPartChars = 200;

/** Returns a string as two parts of a key; no two texts have the same. */
function keyParts(text: string): readonly [kind: string, part: string] {
  // Keys are UTF-8, in which all lone surrogates are one.
  if (text.length <= maxPartChars && text.isWellFormed()) return ["text", text];
  return ["digest", digestOf(text)];
}
