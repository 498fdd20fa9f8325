import { noteMemoryState } from "../mod.ts";
import { type Entry, EntryTable, maxNameChars, ownName } from "./entry_table.ts";
import { runFetch, untilAborted } from "./fetch.ts";
import {
  type CacheOptions,
  type CacheSeries,
  checkCacheOptions,
  type CheckedOptions,
  openSeries,
} from "./options.ts";
import { refuseUnkeepable, SharedStore } from "./shared_store.ts";
import { type CacheStore, findStores, noteStoreState } from "../runtime/addon.ts";

/** Name and lifetime of a cached value. */
export interface CacheKey {
  /** The key of the entry; the other members do not distinguish entries. Any text of any length. */
  readonly name: string;
  /** Lifetime of the value, in milliseconds; 0 or less for no expiry. @default 0 */
  readonly ttlMs?: number;
  /** Tags of the data behind the value, for {@link Cache.invalidate}; at most 100. @default none */
  readonly tags?: readonly string[];
  /** Aborts this caller's wait; other callers and the fetch continue. */
  readonly signal?: AbortSignal;
}

/** Maximum number of tags of a value: a store writes each, and a KV commit has at most 1,000 changes. */
const maxTags = 100;

/**
 * Caches expensive values: query results, responses of other services, rendered parts of pages.
 * Create one cache at startup for each kind of value and share it with `provide`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Cache } from "@fw/fw/cache";
 *
 * const cache = new Cache({ name: "events" });
 * let reads = 0;
 * const list = () => cache.do({ name: "list", ttlMs: 60_000, tags: ["events"] }, () => ++reads);
 * assertEquals([await list(), await list()], [1, 1]);
 * assertEquals(await cache.invalidate("events"), 1);
 * assertEquals(await list(), 2);
 * ```
 */
export class Cache {
  /** The name in metrics and logs. */
  readonly name: string;
  readonly #options: CheckedOptions;
  readonly #table: EntryTable;
  readonly #series: CacheSeries | undefined;
  #shared: SharedStore | undefined;
  /** Number of invalidations, to detect one that happens during a read of the store. */
  #invalidations = 0;
  /** Number of entries reported to the gauge, to which caches of the same name add their own. */
  #reported = 0;

  /**
   * Creates an empty cache.
   *
   * @throws {TypeError} for an invalid name.
   * @throws {RangeError} for a number that is out of range.
   */
  constructor(options: CacheOptions) {
    const { name, app, metrics = app?.metrics, store } = options;
    this.name = name;
    this.#options = checkCacheOptions(options);
    this.#table = new EntryTable(this.#options.maxEntries);
    this.#series = metrics && openSeries(metrics, name);
    if (store !== undefined) return;
    if (app !== undefined) noteStoreState(`cache "${name}"`, "cache");
    else noteMemoryState(`cache "${name}"`, "give it app, and provideStores(app, …) in Setup");
  }

  /** Returns the store, which `Setup` may provide after the cache is created. */
  #findShared(): SharedStore | undefined {
    const { app, store = app && findStores(app).cache, log = app?.log } = this.#options;
    if (this.#shared === undefined && store !== undefined) {
      this.#shared = new SharedStore({ ...this.#options, store, series: this.#series }, log);
    }
    return this.#shared;
  }

  /** Number of values in the memory of this process, including expired ones. */
  get size(): number {
    return this.#table.size;
  }

  /**
   * Returns the cached value, or runs the function and caches its result. Concurrent callers share
   * one run. An error rejects for all of them and is not cached. A value invalidated while the
   * function ran is returned to the waiting callers but not cached.
   *
   * All callers get the same object, so do not modify it. Values that can be read only once, such
   * as a `Response`, are refused.
   *
   * @param key The key of the value; each name must have one type of value.
   * @param fn Computes the value. Its signal aborts when the fetch times out.
   * @returns The value. Rejects with the error of the function; with the reason of `key.signal`;
   * with a `TimeoutError` after `timeoutMs`, even if the function waits for its own value; with a
   * `TypeError` for a value that cannot be cached; with a `RangeError` for more than 100 tags.
   */
  do<T>(key: CacheKey, fn: (signal: AbortSignal) => T | PromiseLike<T>): Promise<T> {
    const name = key.name.length > maxNameChars ? ownName(key.name) : key.name;
    const entry = this.#table.find(name);
    if (entry === undefined) return this.#fetch(name, key, fn);
    if (entry.isPending) {
      this.#series?.hits.inc();
      return untilAborted(entry.promise as Promise<T>, key.signal);
    }
    // Only with an expiry, because reading the clock is half the cost of a hit (`bench/cache`).
    if (entry.expiresAt !== undefined && entry.expiresAt <= this.#options.now()) {
      this.#drop(entry);
      return this.#fetch(name, key, fn);
    }
    this.#table.touch(entry);
    this.#series?.hits.inc();
    return entry.promise as Promise<T>;
  }

  /**
   * Drops every value with one of the tags, and prevents a fetch in progress from caching a stale
   * one. Without a store this happens synchronously, so awaiting is optional.
   *
   * @returns The number of dropped values; 0 in Redis and Deno KV, where they expire. Rejects if a
   * store fails or takes longer than `timeoutMs`; other replicas may then still use their values.
   */
  async invalidate(...tags: string[]): Promise<number> {
    const names = tags.map(ownName);
    const dropHere = (): number => {
      this.#invalidations++;
      return names.reduce((dropped, name) => dropped + this.#table.dropTagged(name), 0);
    };
    return await this.#dropEverywhere(dropHere, (store) => store.invalidate(this.name, names));
  }

  /** Drops values by name, as {@link Cache.invalidate} does by tag. */
  async delete(...names: string[]): Promise<void> {
    const own = names.map(ownName);
    const dropHere = (): void => own.forEach((name) => this.#table.dropNamed(name));
    await this.#dropEverywhere(dropHere, (store) => store.delete(this.name, own));
  }

  /** Drops every value, as {@link Cache.invalidate} does by tag. */
  async clear(): Promise<void> {
    await this.#dropEverywhere(() => this.#table.clear(), (store) => store.clear(this.name));
  }

  /** Drops values in memory, in the store, and in memory again, where a read may have put stale ones. */
  async #dropEverywhere<T>(
    dropHere: () => T,
    dropThere: (store: CacheStore) => Promise<T>,
  ): Promise<T> {
    const dropped = dropHere();
    this.#report();
    const shared = this.#findShared();
    if (shared === undefined) return dropped;
    try {
      return await shared.drop(dropThere);
    } finally {
      dropHere();
      this.#report();
    }
  }

  #fetch<T>(
    name: string,
    key: CacheKey,
    fn: (signal: AbortSignal) => T | PromiseLike<T>,
  ): Promise<T> {
    const { ttlMs = 0, tags = [], signal } = key;
    if (signal?.aborted) return Promise.reject(signal.reason);
    const label = `"${name}" of the cache "${this.name}"`;
    if (Number.isNaN(ttlMs)) {
      return Promise.reject(new TypeError(`Cannot keep ${label} for NaN ms: use a number.`));
    }
    if (tags.length > maxTags) return Promise.reject(tagsError(label, tags.length));
    const { now, nearMs, timeoutMs } = this.#options;
    const entry = this.#table.open(name, { tags: tags.map(ownName), now: now() });
    this.#report();
    const { promise, ...settler } = Promise.withResolvers<unknown>();
    entry.promise = promise;
    const plan = { label, timeoutMs, onFailure: () => this.#drop(entry) };
    const lastMs = ttlMs > 0 ? ttlMs : Infinity;
    const shared = this.#findShared();
    if (shared === undefined) {
      this.#series?.misses.inc();
      const settle = (value: T): T => this.#keep(entry, { value, keepMs: lastMs, label });
      runFetch({ ...plan, fn, settle }, settler);
    } else {
      const before = this.#invalidations;
      runFetch({
        ...plan,
        fn: (signal) => shared.fetch(entry, { label, fn, signal, ttlMs: lastMs }),
        settle: ({ value, leftMs, tags = [] }) => {
          this.#addTags(entry, { tags, before });
          return this.#keep(entry, { value, keepMs: Math.min(nearMs, leftMs), label });
        },
      }, settler);
    }
    return untilAborted(promise as Promise<T>, signal);
  }

  #addTags(
    entry: Entry,
    from: { readonly tags: readonly string[]; readonly before: number },
  ): void {
    const known = new Set(entry.tags.map(({ name }) => name));
    const more = [...new Set(from.tags).difference(known)];
    if (more.length === 0) return;
    // An invalidation during the read missed the entry, because it did not have these tags yet.
    if (from.before === this.#invalidations) this.#table.addTags(entry, more);
    else this.#drop(entry);
  }

  #keep<T>(
    entry: Entry,
    from: { readonly value: T; readonly keepMs: number; readonly label: string },
  ): T {
    const { value, keepMs, label } = from;
    refuseUnkeepable(value, label);
    if (!(keepMs > 0)) this.#drop(entry);
    else if (entry.isHeld) {
      const expiresAt = keepMs === Infinity ? undefined : this.#options.now() + keepMs;
      if (this.#table.fill(entry, expiresAt)) this.#series?.evictions.inc();
      this.#report();
    }
    return value;
  }

  #drop(entry: Entry): void {
    if (this.#table.drop(entry)) this.#report();
  }

  #report(): void {
    if (this.#series === undefined) return;
    const { size } = this.#table;
    if (size !== this.#reported) this.#series.entries.add(size - this.#reported);
    this.#reported = size;
  }
}

function tagsError(label: string, count: number): RangeError {
  return new RangeError(
    `Cannot keep ${label} under ${count} tags: use at most ${maxTags}, such as one for the list ` +
      "instead of one for each of its members.",
  );
}
