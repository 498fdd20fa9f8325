/** The part of `Deno.Kv` that the stores use. */
export interface Kv {
  /** Returns an entry; its `versionstamp` is `null` if it does not exist. */
  get(key: readonly string[]): Promise<KvFound>;
  /** Returns up to ten entries, in the order of the keys. */
  getMany(keys: readonly (readonly string[])[]): Promise<readonly KvFound[]>;
  /** Returns the entries whose keys begin with a prefix, in key order. */
  list(selector: { readonly prefix: readonly string[] }): AsyncIterable<KvListed>;
  /** Begins a change of all or nothing. */
  atomic(): KvAtomic;
}

/** An entry under a key. */
export interface KvFound {
  /** The value, `null` where there is none. */
  readonly value: unknown;
  /** Changes with each change, and grows; `null` where there is none. */
  readonly versionstamp: string | null;
}

/** An entry of a list. */
export interface KvListed {
  /** The key. */
  readonly key: readonly unknown[];
  /** The value. */
  readonly value: unknown;
  /** Changes with each change, and grows. */
  readonly versionstamp: string;
}

/** The part of `Deno.AtomicOperation` that the stores use. */
export interface KvAtomic {
  /** Makes the commit conditional on an entry's version. */
  check(entry: { key: readonly string[]; versionstamp: string | null }): KvAtomic;
  /** Sets an entry, which vanishes after `expireIn` milliseconds. */
  set(key: readonly string[], value: unknown, options: { expireIn: number }): KvAtomic;
  /** Removes an entry. */
  delete(key: readonly string[]): KvAtomic;
  /** Commits the change; `ok` is `false` if a check failed. */
  commit(): Promise<{ readonly ok: boolean; readonly versionstamp?: string }>;
}

/**
 * Checks the first part of every key of a store.
 *
 * @throws {TypeError} for a prefix that is empty, longer than 64 characters or not printable ASCII.
 */
export function checkPrefix(what: string, prefix: string): void {
  if (/^[\x21-\x7e]{1,64}$/.test(prefix)) return;
  throw new TypeError(
    `Cannot keep ${what} under the prefix "${prefix}": use 1 to 64 characters of printable ASCII.`,
  );
}
