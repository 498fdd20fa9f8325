/** The value of a label; a number is written as a string. */
export type LabelValue = string | number;

/** One value for each label, in the order of the labels. */
export type LabelValues<Labels extends readonly string[]> = {
  readonly [Index in keyof Labels]: LabelValue;
};

/** A number that only grows, such as the number of orders received. */
export interface Counter<Labels extends readonly string[] = readonly string[]> {
  /** Adds 1; throws a `TypeError` for a metric with labels, whose series `with` returns. */
  inc(): void;
  /** Adds a number; throws as `inc`, and a `RangeError` for one that is negative or not finite. */
  add(value: number): void;
  /**
   * Returns the series with these label values, which is created on first use; throws a `TypeError` if their
   * number differs from the labels. Hot code should keep the series.
   */
  with(...values: LabelValues<Labels>): Counter<readonly []>;
}

/** A number that grows and shrinks, such as the number of pending orders. */
export interface Gauge<Labels extends readonly string[] = readonly string[]> {
  /** Adds 1; throws as {@link Counter.inc}. */
  inc(): void;
  /** Subtracts 1; throws as `inc`. */
  dec(): void;
  /** Adds a number, which may be negative; throws as `inc`, and a `RangeError` for one that is not finite. */
  add(value: number): void;
  /** Replaces the number; throws as `add`. */
  set(value: number): void;
  /** Returns the series with these label values, as {@link Counter.with}. */
  with(...values: LabelValues<Labels>): Gauge<readonly []>;
}

/** The distribution of a value, such as the duration of orders: counts by bucket, their sum and number. */
export interface Histogram<Labels extends readonly string[] = readonly string[]> {
  /** Records one value; throws as {@link Gauge.add}. */
  observe(value: number): void;
  /** Returns the series with these label values, as {@link Counter.with}. */
  with(...values: LabelValues<Labels>): Histogram<readonly []>;
}

/**
 * The metrics of an application, which `observability.metrics` exposes to Prometheus. Creating a metric with
 * an existing name returns that metric. A metric has at most `observability.maxSeries` series. Further label
 * sets are counted in one series whose labels are all `other`, with one warning.
 *
 * Use labels for small, bounded sets of values. A label value is truncated to 200 characters.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 *
 * const app = new App({ observability: { metrics: "/metrics", trusted: ["127.0.0.1"] } });
 * const orders = app.metrics.counter("shop_orders_total", "Orders taken.", "city");
 * orders.with("Lisboa").inc();
 * assertEquals(orders, app.metrics.counter("shop_orders_total", "Orders taken.", "city"));
 * ```
 */
export interface Metrics {
  /**
   * Creates a counter, or returns the one of that name.
   *
   * @param name Letters, digits, `_` and `:`; by custom it ends in `_total`.
   * @throws {TypeError} for a malformed name, and for one that is taken by another metric.
   */
  counter<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Counter<Labels>;
  /** Creates a gauge, or returns the one of that name; throws as `counter`. */
  gauge<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Gauge<Labels>;
  /**
   * Creates a histogram, or returns the one of that name.
   *
   * @param name As for `counter`; by custom it ends in the unit, such as `_seconds`.
   * @param buckets The upper bounds in rising order, without the infinite one; `undefined` uses those of
   * `fw_request_duration_seconds`.
   * @throws {TypeError} as `counter`.
   * @throws {RangeError} for buckets that do not rise or are not finite.
   */
  histogram<const Labels extends readonly string[]>(
    name: string,
    help: string,
    buckets: readonly number[] | undefined,
    ...labels: Labels
  ): Histogram<Labels>;
}
