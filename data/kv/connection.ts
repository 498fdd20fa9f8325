/** The part of `Deno.Kv` that the stores use. */
export interface Kv {
  /** Returns an entry; its `versionstamp` is `null` if it does not exist. */
  get(key: readonly string[]): Promise<KvFound>;
  /** Returns up to ten entries in the order of `keys`. */
  getMany(keys: readonly (readonly string[])[]): Promise<readonly KvFound[]>;
  /** Returns the entries whose keys begin with a prefix, in key order. */
  list(selector: { readonly prefix: readonly string[] }): AsyncIterable<
    { readonly key: readonly unknown[]; readonly versionstamp: string }
  >;
  /** Begins an atomic change. */
  atomic(): KvAtomic;
}

/** An entry under a key. */
export interface KvFound {
  /** The value; `null` if the entry does not exist. */
  readonly value: unknown;
  /** Increases with each change; `null` if the entry does not exist. */
  readonly versionstamp: string | null;
}

/** The part of `Deno.AtomicOperation` that the stores use. */
export interface KvAtomic {
  /** Makes the commit conditional on an entry's version. */
  check(entry: { key: readonly string[]; versionstamp: string | null }): KvAtomic;
  /** Sets an entry, which expires after `expireIn` milliseconds. */
  set(key: readonly string[], value: unknown, options?: { expireIn?: number }): KvAtomic;
  /** Removes an entry. */
  delete(key: readonly string[]): KvAtomic;
  /** Commits the change; `ok` is `false` if a check failed. */
  commit(): Promise<{ readonly ok: boolean; readonly versionstamp?: string }>;
}

export interface Place {
  readonly kv: Kv;
  readonly prefix: string;
  readonly now: () => number;
}

const maxReads = 10;

export async function readAll(kv: Kv, keys: readonly (readonly string[])[]): Promise<KvFound[]> {
  const found: KvFound[] = [];
  for (const batch of batches(keys, maxReads)) found.push(...await kv.getMany(batch));
  return found;
}

export function* batches<T>(items: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}

export const maxTries = 16;

export const conflict = Symbol("conflict");

/** Retries a change until it meets no conflicting change of the same entries. */
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

/** Waits before a retry: a random time up to a maximum that doubles each time, to 32 ms. */
export function pause(tries: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(32, 2 ** tries)));
}

/** Returns the milliseconds until an entry expires, at least 1. */
export function leftMs(atMs: number, now: number): number {
  return Math.max(1, Math.ceil(atMs - now));
}

/** Claims a key for a time. Returns the version of the claim; `undefined` while another holds it. */
export async function claim(
  { kv, now }: Place,
  key: readonly string[],
  ttlMs: number,
): Promise<string | undefined> {
  const { value, versionstamp } = await kv.get(key);
  const nowMs = now();
  if (typeof value === "number" && value > nowMs) return undefined;
  // If two replicas claim it at once, only the first succeeds.
  const claimed = await kv.atomic().check({ key, versionstamp })
    .set(key, nowMs + ttlMs, { expireIn: leftMs(ttlMs, 0) }).commit();
  return claimed.ok ? claimed.versionstamp : undefined;
}
