import type { Counter, Gauge, Metrics } from "../mod.ts";

/** The series of one cache, looked up once. */
export interface CacheSeries {
  /** Calls that ran no function of their own. */
  readonly hits: Counter<readonly []>;
  readonly misses: Counter<readonly []>;
  /** Values that made room for others. */
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
