import { createLogger, type Logger } from "../mod.ts";
import type { Entry } from "./entry.ts";
import type { CacheSeries } from "./metrics.ts";
import type { CacheStore } from "./store.ts";
import { refuseUnkeepable, refuseUnsharable } from "./values.ts";

/** A store that is down is told about once in this time. */
const warnEveryMs = 60_000;

/** How a store is used. */
export interface SharedStoreOptions {
  /** The name of the cache. */
  readonly cache: string;
  /** The store. */
  readonly store: CacheStore;
  /** How long a reading or writing is waited for. */
  readonly timeoutMs: number;
  /** Takes the warnings. */
  readonly log: Logger | undefined;
  /** Counts. */
  readonly series: CacheSeries | undefined;
}

/** What is asked of a store. */
export interface SharedRequest {
  /** Names the value in messages. */
  readonly label: string;
  /** Makes the value. */
  readonly fn: (signal: AbortSignal) => unknown;
  /** Aborts when the time of the fetch is over. */
  readonly signal: AbortSignal;
  /** For how long a value that is made may be given. */
  readonly ttlMs: number;
}

/** A value with the time that is left to it. */
export interface SharedValue {
  /** The value. */
  readonly value: unknown;
  /** For how long it may be given, in milliseconds. */
  readonly leftMs: number;
  /** The tags that it was written with, where the store tells. */
  readonly tags?: readonly string[];
}

/** A store whose failures cost its values and nothing else: a cache is no guard. */
export class SharedStore {
  readonly #options: SharedStoreOptions;
  #log: Logger | undefined;
  #failures = 0;
  #warnedAt = -Infinity;

  /** Wraps a store. */
  constructor(options: SharedStoreOptions) {
    this.#options = options;
    this.#log = options.log;
  }

  /** Asks the store for a value; makes it and tells the store where it has none. */
  async fetch(entry: Entry, request: SharedRequest): Promise<SharedValue> {
    const { store, cache, series } = this.#options;
    const { label, fn, signal, ttlMs } = request;
    const key = { cache, name: entry.name, tags: entry.tags.map(({ name }) => name) };
    const found = await this.#try(() => store.read(key), "read");
    if (found?.kind === "hit") {
      series?.hits.inc();
      return found;
    }
    series?.misses.inc();
    const value = await fn(signal);
    refuseUnkeepable(value, label);
    refuseUnsharable(value, label);
    // Without a version nobody could tell that the value has become old.
    if (found !== undefined && entry.isHeld) {
      const { version } = found;
      await this.#try(() => store.write(key, { value, ttlMs, version }), "written");
    }
    return { value, leftMs: ttlMs };
  }

  async #try<T>(act: () => Promise<T>, done: string): Promise<T | undefined> {
    const { timeoutMs } = this.#options;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      const refuse = (): void => reject(new Error(`the store took more than ${timeoutMs} ms`));
      if (timeoutMs !== Infinity) timer = setTimeout(refuse, timeoutMs);
    });
    try {
      return await Promise.race([act(), late]);
    } catch (error) {
      this.#warn(done, error);
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  #warn(done: string, error: unknown): void {
    this.#failures++;
    const now = performance.now();
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    const { cache } = this.#options;
    this.#log ??= createLogger();
    this.#log.warn(`a value of the cache was not ${done}: its store failed`, {
      cache,
      failures: this.#failures,
      error,
    });
    this.#failures = 0;
  }
}
