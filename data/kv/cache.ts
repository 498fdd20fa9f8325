import { checkPrefix, type Kv, type KvFound, type KvListed } from "./connection.ts";
import { deletedEntry, type KvCacheEntry, parseKvEntry, type TagVersion } from "./cache_entry.ts";
import { KvCacheKeys } from "./cache_keys.ts";
import type { CacheRead, CacheStore, CacheStoreKey, CacheWrite } from "../../runtime/addon.ts";

/** Maximum number of keys of `getMany`. */
const maxReads = 10;

/** Maximum number of changes in one commit. */
const maxChanges = 1_000;

/** Maximum number of entries removed by one commit, which takes 100 checks. */
const maxRemoved = 100;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Maximum time of a fetch that must not miss an invalidation or a deletion. */
const fetchMs = dayMs;

/** Options of {@link kvCacheStore}. */
export interface KvCacheOptions {
  /** The first part of every key: 1 to 64 characters of printable ASCII. @default "fw_cache" */
  readonly prefix?: string;
  /**
   * Maximum lifetime of an entry, in milliseconds: Deno KV evicts nothing, so unused entries must expire.
   *
   * @default 30 days
   */
  readonly maxTtlMs?: number;
  /** The time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps the values of caches in Deno KV, so that replicas share them and see each other's
 * invalidations. One store serves any number of caches.
 *
 * An entry is written with the versions that its tags had before its value was made, and is given only
 * while they still have them: an invalidation changes the version of the tag, in one step, and counts
 * for every replica from then on. The entries themselves are removed afterwards.
 *
 * Values travel by structured clone: data stays what it was, an instance of a class comes back as a plain
 * object, and what holds a function or a promise cannot be kept. What takes more than 64 KiB is made
 * anew for each call, without a warning. A call costs one read, and a write where the value was made. The
 * replicas' clocks should agree: one that is behind gives values for longer by as much.
 *
 * @param kv The opened store, `await Deno.openKv()`; who opened it closes it.
 * @throws {TypeError} for a prefix that is empty, longer than 64 characters or not printable ASCII.
 * @throws {RangeError} for a `maxTtlMs` that keeps nothing.
 * @example
 * ```ts
 * import { Cache } from "@fw/fw/cache";
 * import { type Kv, kvCacheStore } from "@fw/fw/kv";
 *
 * function openCache(kv: Kv): Cache {
 *   return new Cache({ name: "events", store: kvCacheStore(kv), nearMs: 1_000 });
 * }
 * console.assert(openCache.length === 1);
 * ```
 */
export function kvCacheStore(kv: Kv, options: KvCacheOptions = {}): CacheStore {
  const { prefix = "fw_cache", maxTtlMs = 30 * dayMs, now = Date.now } = options;
  checkPrefix("a cache", prefix);
  if (!(maxTtlMs >= 1 && maxTtlMs <= Number.MAX_SAFE_INTEGER - fetchMs)) {
    throw new RangeError(
      `Cannot set maxTtlMs to "${maxTtlMs}": use 1 or more milliseconds, and not Infinity.`,
    );
  }
  return new KvCacheStore(kv, { prefix, maxTtlMs, now });
}

/** The versions that a value is made under. */
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

class KvCacheStore implements CacheStore {
  readonly #kv: Kv;
  readonly #prefix: string;
  readonly #maxTtlMs: number;
  readonly #now: () => number;

  constructor(kv: Kv, options: Required<KvCacheOptions>) {
    this.#kv = kv;
    this.#prefix = options.prefix;
    this.#maxTtlMs = Math.ceil(options.maxTtlMs);
    this.#now = options.now;
  }

  async read({ cache, name, tags }: CacheStoreKey): Promise<CacheRead> {
    const keys = new KvCacheKeys(this.#prefix, cache);
    // The entry first: versions that are read later can only be newer than it, never older.
    const [entry, cleared, ...versions] = await this.#readAll([
      keys.entry(name),
      keys.cleared(),
      ...tags.map((tag) => keys.tag(tag)),
    ]);
    const seen = new Seen(
      entry?.versionstamp ?? null,
      cleared?.versionstamp ?? null,
      tags.map((tag, index) => [tag, versions[index]?.versionstamp ?? null]),
    );
    const stored = parseKvEntry(entry?.value);
    if (stored !== undefined) {
      const leftMs = stored.expiresAt - this.#now();
      if (leftMs > 0 && await this.#isCurrent(stored, { seen, keys })) {
        return { kind: "hit", value: stored.value, leftMs, tags: stored.tags.map(([tag]) => tag) };
      }
    }
    return { kind: "miss", version: seen };
  }

  /** Whether nothing has been invalidated since the value was made. */
  async #isCurrent(
    { cleared, tags }: KvCacheEntry,
    by: { readonly seen: Seen; readonly keys: KvCacheKeys },
  ): Promise<boolean> {
    if (cleared !== by.seen.cleared) return false;
    // Another caller may have written it with tags that this one does not name.
    const others = tags.filter(([tag]) => !by.seen.tags.has(tag));
    const found = others.length === 0
      ? []
      : await this.#readAll(others.map(([tag]) => by.keys.tag(tag)));
    const versions = new Map(by.seen.tags);
    others.forEach(([tag], index) => versions.set(tag, found[index]?.versionstamp ?? null));
    return tags.every(([tag, version]) => versions.get(tag) === version);
  }

  async #readAll(keys: readonly (readonly string[])[]): Promise<KvFound[]> {
    const found: KvFound[] = [];
    for (const batch of batches(keys, maxReads)) found.push(...await this.#kv.getMany(batch));
    return found;
  }

  async write({ cache, name, tags }: CacheStoreKey, entry: CacheWrite): Promise<void> {
    const { value, ttlMs, version: seen } = entry;
    if (!(seen instanceof Seen)) return;
    const keys = new KvCacheKeys(this.#prefix, cache);
    const expireIn = Math.ceil(Math.min(ttlMs, this.#maxTtlMs));
    const expiresAt = this.#now() + expireIn;
    const versions = tags.map((tag): TagVersion => [tag, seen.tags.get(tag) ?? null]);
    const stored: KvCacheEntry = { value, expiresAt, cleared: seen.cleared, tags: versions };
    try {
      const change = this.#kv.atomic()
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
    const keys = new KvCacheKeys(this.#prefix, cache);
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
    const keys = new KvCacheKeys(this.#prefix, cache);
    for (const batch of batches(names, maxChanges)) {
      const change = this.#kv.atomic();
      for (const name of batch) change.set(keys.entry(name), deletedEntry, { expireIn: fetchMs });
      await change.commit();
    }
  }

  async clear(cache: string): Promise<void> {
    const keys = new KvCacheKeys(this.#prefix, cache);
    const mark = await this.#mark([keys.cleared()]);
    for (const prefix of keys.useless()) {
      for await (const batch of batchesOf(this.#listUpTo(mark, prefix), maxChanges)) {
        const change = this.#kv.atomic();
        for (const { key } of batch) change.delete(key.map(String));
        await change.commit();
      }
    }
  }

  /** Assigns a new version to the keys, which makes values of older versions invalid. */
  async #mark(keys: readonly (readonly string[])[]): Promise<string> {
    let mark = "";
    for (const batch of batches(keys, maxChanges)) {
      const change = this.#kv.atomic();
      // As long as there can be an entry that was made under the version before.
      const expireIn = this.#maxTtlMs + fetchMs;
      for (const key of batch) change.set(key, 1, { expireIn });
      mark = (await change.commit()).versionstamp ?? "";
    }
    return mark;
  }

  /** The entries below a prefix that are no newer than a version. */
  async *#listUpTo(mark: string, prefix: readonly string[]): AsyncGenerator<KvListed> {
    for await (const listed of this.#kv.list({ prefix })) {
      if (listed.versionstamp <= mark) yield listed;
    }
  }

  /** Removes rows with their entries; gives how many of these could still have been given. */
  async #removeTagged(rows: readonly KvListed[], keys: KvCacheKeys): Promise<number> {
    const now = this.#now();
    const alive = (batch: readonly KvListed[]): number =>
      batch.filter(({ value }) => typeof value === "number" && value > now).length;
    if (await this.#remove(rows, keys)) return alive(rows);
    let dropped = 0;
    for (const row of rows) {
      if (await this.#remove([row], keys)) dropped += alive([row]);
      else await this.#kv.atomic().check(checkOf(row)).delete(checkOf(row).key).commit();
    }
    return dropped;
  }

  /** Removes rows with their entries, where each entry is still the one that its row was written with. */
  async #remove(rows: readonly KvListed[], keys: KvCacheKeys): Promise<boolean> {
    const change = this.#kv.atomic();
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

function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
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
