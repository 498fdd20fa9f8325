import type { Counter, Gauge, Histogram } from "../base/observe/metrics.ts";

/** The part of a series' metric that its messages need. */
interface Named {
  readonly name: string;
}

export class CounterSeries implements Counter<readonly []> {
  value = 0;
  readonly #metric: Named;

  constructor(metric: Named) {
    this.#metric = metric;
  }

  inc(): void {
    this.value += 1;
  }

  add(value: number): void {
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(
        `Cannot add ${value} to the counter "${this.#metric.name}": use a finite number from 0 up, or make it a gauge.`,
      );
    }
    this.value += value;
  }

  with(...values: readonly unknown[]): this {
    refuseLabels(this.#metric, values);
    return this;
  }
}

export class GaugeSeries implements Gauge<readonly []> {
  value = 0;
  readonly #metric: Named;

  constructor(metric: Named) {
    this.#metric = metric;
  }

  inc(): void {
    this.value += 1;
  }

  dec(): void {
    this.value -= 1;
  }

  add(value: number): void {
    this.value += finite(value, { metric: this.#metric, act: "add" });
  }

  set(value: number): void {
    this.value = finite(value, { metric: this.#metric, act: "set" });
  }

  with(...values: readonly unknown[]): this {
    refuseLabels(this.#metric, values);
    return this;
  }
}

export class HistogramSeries implements Histogram<readonly []> {
  /** The upper bounds of the buckets, without the infinite one. */
  readonly bounds: readonly number[];
  /** Number of values in each bucket and in no lower one; the last bucket has no bound. */
  readonly counts: Float64Array;
  sum = 0;
  readonly #metric: Named;

  constructor(metric: Named, bounds: readonly number[]) {
    this.#metric = metric;
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.sum += finite(value, { metric: this.#metric, act: "observe" });
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
  }

  with(...values: readonly unknown[]): this {
    refuseLabels(this.#metric, values);
    return this;
  }
}

function finite(
  value: number,
  at: { readonly metric: Named; readonly act: "add" | "set" | "observe" },
): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(
    `Cannot ${at.act} ${value} in the metric "${at.metric.name}": use a finite number.`,
  );
}

function refuseLabels(metric: Named, values: readonly unknown[]): void {
  if (values.length === 0) return;
  throw new TypeError(
    `Cannot find a series of the metric "${metric.name}" by ${values.length} values: it has no labels, or they are chosen already.`,
  );
}
