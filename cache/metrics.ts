/** The part of a registry of metrics that a cache uses; `app.metrics` is one. */
export interface CacheMetrics {
  /** Makes a counter, or gives the one of that name. */
  counter(name: string, help: string, ...labels: string[]): CacheCounter;
  /** Makes a gauge, or gives the one of that name. */
  gauge(name: string, help: string, ...labels: string[]): CacheGauge;
}

/** A number that only grows. */
export interface CacheCounter {
  /** Adds 1. */
  inc(): void;
  /** Adds a number. */
  add(value: number): void;
  /** The series with these values of its labels. */
  with(...values: string[]): CacheCounter;
}

/** A number that grows and shrinks. */
export interface CacheGauge {
  /** Adds a number, which may be negative. */
  add(value: number): void;
  /** The series with these values of its labels. */
  with(...values: string[]): CacheGauge;
}

/** The series of one cache, looked up once. */
export interface CacheSeries {
  readonly hits: CacheCounter;
  readonly misses: CacheCounter;
  readonly evictions: CacheCounter;
  readonly entries: CacheGauge;
}

/** Looks the series of a cache up. */
export function openSeries(metrics: CacheMetrics, cache: string): CacheSeries {
  const counter = (name: string, help: string): CacheCounter =>
    metrics.counter(name, help, "cache").with(cache);
  return {
    hits: counter("fw_cache_hits_total", "Calls of a cache that ran no function of their own."),
    misses: counter("fw_cache_misses_total", "Calls of a cache that ran their function."),
    evictions: counter("fw_cache_evictions_total", "Values dropped to make room for others."),
    entries: metrics.gauge("fw_cache_entries", "Values in the memory of a cache.", "cache")
      .with(cache),
  };
}
