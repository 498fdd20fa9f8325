import type { Application, Counter, Gauge, Logger, Metrics } from "../mod.ts";
import type { CacheStore } from "../runtime/addon.ts";

/** A V8 `Map` holds little more, and pending fetches need entries too. */
const mostEntries = 16_000_000;

/** The maximum delay of `setTimeout`. */
const longestTimeoutMs = 2_147_483_647;

/** Options of a `Cache`. */
export interface CacheOptions {
  /** Names the cache in metrics, logs and stores: 1 to 64 characters of printable ASCII, without spaces. */
  readonly name: string;
  /** Maximum number of values; the least recently used one is evicted first. @default 10000 */
  readonly maxEntries?: number;
  /**
   * Timeout of a fetch and, with `store`, of an invalidation, in milliseconds; `NoTimeout` waits forever.
   *
   * @default 30000
   */
  readonly timeoutMs?: number;
  /** The registry of the series `fw_cache_*`. @default that of `app` */
  readonly metrics?: Metrics;
  /** The application, whose metrics, log and store from `provideStores` are used. @default none */
  readonly app?: Application;
  /**
   * The store for values and invalidations, which replicas share.
   *
   * @default that of `app`, else the memory of this process
   */
  readonly store?: CacheStore;
  /**
   * With `store`: time for which a value is served from memory before the store is read again, in
   * milliseconds. Invalidations by other replicas take effect only after this time.
   *
   * @default 0
   */
  readonly nearMs?: number;
  /**
   * With `store`: timeout of a read or write, in milliseconds, after which the value is computed
   * without the store; `NoTimeout` waits forever.
   *
   * @default 1000
   */
  readonly storeTimeoutMs?: number;
  /** With `store`: the log for warnings about its failures. @default JSON on standard output */
  readonly log?: Logger;
  /** Returns the time in milliseconds, for tests. @default Date.now */
  readonly now?: () => number;
}

export type CheckedOptions =
  & CacheOptions
  & Required<Pick<CacheOptions, "maxEntries" | "timeoutMs" | "nearMs" | "storeTimeoutMs" | "now">>;

export function checkCacheOptions(options: CacheOptions): CheckedOptions {
  const { name, maxEntries = 10_000, nearMs = 0, now = Date.now } = options;
  const { timeoutMs = 30_000, storeTimeoutMs = 1_000 } = options;
  if (typeof name !== "string" || !/^[\x21-\x7e]{1,64}$/.test(name)) {
    throw new TypeError(
      `Cannot name a cache "${name}": use 1 to 64 characters of printable ASCII, without spaces.`,
    );
  }
  const delay = `more than 0 and at most ${longestTimeoutMs} milliseconds, or NoTimeout`;
  const isDelay = (ms: number): boolean => ms > 0 && (ms === Infinity || ms <= longestTimeoutMs);
  const isCount = Number.isInteger(maxEntries) && maxEntries >= 1 && maxEntries <= mostEntries;
  for (
    const [setting, value, isMet, fix] of [
      ["maxEntries", maxEntries, isCount, `an integer from 1 to ${mostEntries}`],
      ["nearMs", nearMs, nearMs >= 0, "0 or more milliseconds"],
      ["timeoutMs", timeoutMs, isDelay(timeoutMs), delay],
      ["storeTimeoutMs", storeTimeoutMs, isDelay(storeTimeoutMs), delay],
    ] as const
  ) {
    if (isMet) continue;
    throw new RangeError(
      `Cannot set ${setting} of the cache "${name}" to "${value}": use ${fix}.`,
    );
  }
  return { ...options, maxEntries, timeoutMs, nearMs, storeTimeoutMs, now: steady(now) };
}

/** Wraps a clock so that it never goes back, because values would then be served for too long. */
function steady(read: () => number): () => number {
  let last = -Infinity;
  let aheadMs = 0;
  return () => {
    const now = read();
    if (now < last) aheadMs += last - now;
    last = now;
    return now + aheadMs;
  };
}

/** The series of one cache, looked up once. */
export interface CacheSeries {
  /** Calls that did not start a fetch. */
  readonly hits: Counter<readonly []>;
  readonly misses: Counter<readonly []>;
  readonly evictions: Counter<readonly []>;
  readonly entries: Gauge<readonly []>;
}

export function openSeries(metrics: Metrics, cache: string): CacheSeries {
  const counter = (name: string, help: string): Counter<readonly []> =>
    metrics.counter(name, help, "cache").with(cache);
  return {
    hits: counter("fw_cache_hits_total", "Calls of a cache that ran no function of their own."),
    misses: counter("fw_cache_misses_total", "Calls of a cache that ran their function."),
    evictions: counter("fw_cache_evictions_total", "Values dropped to make room for others."),
    entries: metrics.gauge("fw_cache_entries", "Values in the memory of a cache.", "cache")
      .with(cache),
  };
}
