import { isNode } from "../html/mod.ts";
import { createLogger, type Logger } from "../mod.ts";
import type { Entry } from "./entry_table.ts";
import type { CacheSeries, CheckedOptions } from "./options.ts";
import {
  type CacheRead,
  type CacheStore,
  type CacheStoreKey,
  limitTime,
} from "../runtime/addon.ts";

/** The interval between warnings about a failing store. */
const warnEveryMs = 60_000;

/** Maximum wait for another replica's value before computing it here, in milliseconds. */
const claimMs = 5_000;

/** Maximum polling interval while waiting for another replica's value, in milliseconds. */
const maxPauseMs = 100;

export interface SharedValue {
  readonly value: unknown;
  readonly leftMs: number;
  /** The tags with which it was written, if the store returns them. */
  readonly tags?: readonly string[];
}

interface SharedOptions extends CheckedOptions {
  readonly store: CacheStore;
  readonly series: CacheSeries | undefined;
}

/** Wraps a store so that its failures only cause misses: a cache must not fail a request. */
export class SharedStore {
  readonly #options: SharedOptions;
  #log: Logger | undefined;
  #failures = 0;
  #warnedAt = -Infinity;

  constructor(options: SharedOptions, log: Logger | undefined) {
    this.#options = options;
    this.#log = log;
  }

  /** Reads a value from the store; computes and stores it if it is missing. */
  async fetch(entry: Entry, request: {
    readonly label: string;
    readonly fn: (signal: AbortSignal) => unknown;
    readonly signal: AbortSignal;
    readonly ttlMs: number;
  }): Promise<SharedValue> {
    const { name: cache, store, series } = this.#options;
    const { label, fn, signal, ttlMs } = request;
    const key = { cache, name: entry.name, tags: entry.tags.map(({ name }) => name) };
    const read = (): Promise<CacheRead | undefined> => this.#try(() => store.read(key), "read");
    let found = await read();
    let endClaim: (() => Promise<void>) | undefined;
    if (found?.kind === "miss") {
      ({ found, endClaim } = await this.#claim(key, { found, read, signal }));
    }
    if (found?.kind === "hit") {
      series?.hits.inc();
      if (endClaim !== undefined) await this.#try(endClaim, "given back");
      return found;
    }
    series?.misses.inc();
    try {
      const value = await fn(signal);
      refuseUnkeepable(value, label);
      refuseUnsharable(value, label);
      // Without a version a stale value could not be detected.
      if (found?.kind === "miss" && entry.isHeld) {
        const { version } = found;
        await this.#try(() => store.write(key, { value, ttlMs, version }), "written");
      }
      return { value, leftMs: ttlMs };
    } finally {
      if (endClaim !== undefined) await this.#try(endClaim, "given back");
    }
  }

  /** Waits until this replica holds the claim on a value, or another one has computed it. */
  async #claim(
    key: CacheStoreKey,
    { read, signal, ...first }: {
      readonly found: CacheRead;
      readonly read: () => Promise<CacheRead | undefined>;
      readonly signal: AbortSignal;
    },
  ): Promise<{
    readonly found: CacheRead | undefined;
    readonly endClaim?: (() => Promise<void>) | undefined;
  }> {
    const { store } = this.#options;
    const untilMs = performance.now() + claimMs;
    let found: CacheRead | undefined = first.found;
    for (let pauseMs = 10;; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      // If the store has no claims or fails, each replica computes the value.
      if (found?.kind !== "miss" || store.claim === undefined) return { found };
      const claim = { version: found.version, ttlMs: claimMs };
      const claimed = await this.#try(
        async () => ({ end: await store.claim?.(key, claim) }),
        "claimed",
      );
      const isOwn = claimed === undefined || claimed.end !== undefined;
      if (isOwn || signal.aborted || performance.now() >= untilMs) {
        // Another replica may have written the value and released its claim since the last read.
        if (claimed?.end !== undefined) found = await read();
        return { found, endClaim: claimed?.end };
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      found = await read();
    }
  }

  /**
   * Drops values in the store. Failures are passed to the caller, because stale values would
   * otherwise stay unnoticed.
   */
  async drop<T>(act: (store: CacheStore) => Promise<T>): Promise<T> {
    const { name, store, timeoutMs } = this.#options;
    const late = (): DOMException =>
      new DOMException(
        `Cannot drop values of the cache "${name}": its store took more than ${timeoutMs} ms ` +
          "(timeoutMs); other replicas may go on with what they have.",
        "TimeoutError",
      );
    return await limitTime(() => act(store), { timeoutMs, late });
  }

  async #try<T>(act: () => Promise<T>, done: string): Promise<T | undefined> {
    const { storeTimeoutMs: timeoutMs } = this.#options;
    const late = (): Error => new Error(`the store took more than ${timeoutMs} ms`);
    try {
      return await limitTime(act, { timeoutMs, late });
    } catch (error) {
      this.#warn(done, error);
      return undefined;
    }
  }

  #warn(done: string, error: unknown): void {
    this.#failures++;
    const now = performance.now();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    const fields = { cache: this.#options.name, failures: this.#failures, error };
    this.#failures = 0;
    try {
      this.#log ??= createLogger();
      this.#log.warn(`a value of the cache was not ${done}: its store failed`, fields);
    } catch {
      // A failing application logger must not affect the callers.
    }
  }
}

/** Refuses a value that can be read only once. @throws {TypeError} naming the fix. */
export function refuseUnkeepable(value: unknown, label: string): void {
  const isSpent = value instanceof Response || value instanceof Request ||
    value instanceof ReadableStream;
  if (!isSpent) return;
  throw new TypeError(
    `Cannot keep ${label}: a ${value.constructor.name} can be read only once; keep what is read ` +
      "from it, such as a text.",
  );
}

/** Refuses a value that another process could not restore. @throws {TypeError} naming the fix. */
function refuseUnsharable(value: unknown, label: string): void {
  if (!isNode(value)) return;
  throw new TypeError(
    `Cannot share ${label}: a store keeps data, and this is a node; cache the text of h.render, and ` +
      "make a node of it again with h.raw.",
  );
}
