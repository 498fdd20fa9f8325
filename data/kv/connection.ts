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
  set(key: readonly string[], value: unknown, options?: { expireIn?: number }): KvAtomic;
  /** Removes an entry. */
  delete(key: readonly string[]): KvAtomic;
  /** Commits the change; `ok` is `false` if a check failed. */
  commit(): Promise<{ readonly ok: boolean; readonly versionstamp?: string }>;
}

/** A KV with what its keys begin with, and the time. */
export interface Place {
  readonly kv: Kv;
  readonly prefix: string;
  readonly now: () => number;
}

/** The maximum number of entries of `Kv.getMany`. */
const maxReads = 10;

export async function readAll(kv: Kv, keys: readonly (readonly string[])[]): Promise<KvFound[]> {
  const found: KvFound[] = [];
  for (const batch of batches(keys, maxReads)) found.push(...await kv.getMany(batch));
  return found;
}

/** Cuts a list into parts of a size. */
export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

export const maxTries = 16;

export const conflict = Symbol("conflict");

/** Attempts a change until nothing else has changed the same entries meanwhile. */
export async function retry<T>(
  what: string,
  attempt: () => Promise<T | typeof conflict>,
): Promise<T> {
  for (let tries = 1; tries <= maxTries; tries++) {
    const outcome = await attempt();
    if (outcome !== conflict) return outcome;
    await pause(tries);
  }
  throw new Error(`Cannot change ${what}: each of ${maxTries} tries met a conflicting change.`);
}

/** Waits before another try: from 1 ms on twice as long each time, up to 32. */
export function pause(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(32, 2 ** tries)));
}

/** The lifetime of an entry that ends at a time, in milliseconds. */
export function leftMs(atMs: number, now: number): number {
  return Math.max(1, Math.ceil(atMs - now));
}
