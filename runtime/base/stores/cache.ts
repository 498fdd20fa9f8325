/** Names an entry of a store. */
export interface CacheStoreKey {
  /** The name of the cache. */
  readonly cache: string;
  /** The name of the entry: any text of up to 576 characters. */
  readonly name: string;
  /** The tags of the caller; the tags that the entry was written with apply as well. */
  readonly tags: readonly string[];
}

/** The result of a store's lookup by name. */
export type CacheRead =
  | {
    readonly kind: "hit";
    readonly value: unknown;
    /** Remaining lifetime, in milliseconds. */
    readonly leftMs: number;
    /**
     * The tags that it was written with: with `nearMs` the cache drops its local copy by them. @default those
     * of the caller
     */
    readonly tags?: readonly string[];
  }
  | {
    readonly kind: "miss";
    /** Token for {@link CacheStore.write}, which detects later changes by it. */
    readonly version: unknown;
  };

/** A claim of {@link CacheStore.claim}. */
export interface CacheClaim {
  /** Token of {@link CacheStore.read}: no request waits for a computation from before an invalidation. */
  readonly version: unknown;
  /** Lifetime of the claim, in milliseconds, because its owner may crash. */
  readonly ttlMs: number;
}

/** A value for a store, computed after its version was read. */
export interface CacheWrite {
  /** The value. */
  readonly value: unknown;
  /** Lifetime, in milliseconds; `Infinity` for no limit. */
  readonly ttlMs: number;
  /** Token that {@link CacheStore.read} returned before the value was computed. */
  readonly version: unknown;
}

/**
 * A store through which several processes share the entries of a cache and their invalidations. A value
 * written with a version must never be read after an invalidation of one of its tags, a deletion of its name
 * or a clearing of its cache that happened after the version was read, even if the value is written later.
 */
export interface CacheStore {
  /** Looks an entry up. An unreadable entry is a miss. */
  read(key: CacheStoreKey): Promise<CacheRead>;
  /** Stores a value; it may decline one, for example because it is too large. */
  write(key: CacheStoreKey, entry: CacheWrite): Promise<void>;
  /**
   * Claims the computation of a value, so that one replica computes it and the others wait; without the
   * method each computes its own. Returns a function that releases the claim, `undefined` while another
   * replica holds it.
   */
  claim?(key: CacheStoreKey, claim: CacheClaim): Promise<(() => Promise<void>) | undefined>;
  /** Drops entries with any of the tags on all replicas; returns their number, or 0 if it is unknown. */
  invalidate(cache: string, tags: readonly string[]): Promise<number>;
  /** Drops entries by name on all replicas. */
  delete(cache: string, names: readonly string[]): Promise<void>;
  /** Drops all entries of a cache on all replicas. */
  clear(cache: string): Promise<void>;
}
