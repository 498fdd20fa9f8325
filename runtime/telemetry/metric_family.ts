import type { Counter, Gauge, Histogram } from "../base/observe/metrics.ts";

export type MetricType = "counter" | "gauge" | "histogram";

export interface FamilyOptions<S> {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly makeSeries: () => S;
  readonly maxSeries: (name: string) => number;
  /** Told once, when there would be more. */
  readonly onOverflow: (metric: { readonly name: string }) => void;
}

/** Label values are truncated here, so that client input cannot fill the memory. */
const maxValueChars = 200;

/** The labels of the series that takes what is too much. */
const overflowValue = "other";

export class Family<S> {
  readonly name: string;
  readonly help: string;
  readonly type: MetricType;
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
  readonly #options: FamilyOptions<S>;
  readonly #series = new Map<string, { readonly values: readonly string[]; readonly series: S }>();
  #isFull = false;

  /** A metric without labels has its one series from the start. */
  constructor(options: FamilyOptions<S>) {
    this.#options = options;
    this.name = options.name;
    this.help = options.help;
    this.type = options.type;
    this.labels = options.labels;
    this.bounds = options.bounds;
    if (this.labels.length === 0) this.#make([]);
  }

  get series(): Iterable<{ readonly values: readonly string[]; readonly series: S }> {
    return this.#series.values();
  }

  /** Throws for another number of values than there are labels. */
  find(given: readonly unknown[]): S {
    if (given.length !== this.labels.length) {
      const names = this.labels.join(", ");
      throw new TypeError(
        `Cannot find a series of the metric "${this.name}" by ${given.length} values: use one for each label (${names}).`,
      );
    }
    const values = given.map(cleanValue);
    return this.#series.get(keyOf(values))?.series ?? this.#open(values);
  }

  #open(values: readonly string[]): S {
    if (this.#series.size < this.#options.maxSeries(this.name)) return this.#make(values);
    if (!this.#isFull) {
      this.#isFull = true;
      this.#options.onOverflow(this);
    }
    // The application may have a series of that name itself: there must not be two of them.
    const others = values.map(() => overflowValue);
    return this.#series.get(keyOf(others))?.series ?? this.#make(others);
  }

  #make(values: readonly string[]): S {
    const series = this.#options.makeSeries();
    this.#series.set(keyOf(values), { values, series });
    return series;
  }
}

function cleanValue(value: unknown): string {
  const text = typeof value === "string" ? value : String(value);
  // Half a character cannot be written as UTF-8: two of them would come out as one series twice.
  return text.slice(0, maxValueChars).toWellFormed();
}

function keyOf(values: readonly string[]): string {
  const [first = ""] = values;
  return values.length < 2 ? first : JSON.stringify(values);
}

/** A metric with labels of any type: its series count, hold or take the values. */
export class Labelled<S> {
  readonly #family: Family<S>;

  constructor(family: Family<S>) {
    this.#family = family;
  }

  with(...values: readonly unknown[]): S {
    return this.#family.find(values);
  }

  readonly inc = (): never => {
    const { name, labels } = this.#family;
    const values = labels.map((label) => `<${label}>`).join(", ");
    throw new TypeError(
      `Cannot change the metric "${name}" without its labels: write .with(${values}) first.`,
    );
  };
  readonly dec = this.inc;
  readonly add = this.inc;
  readonly set = this.inc;
  readonly observe = this.inc;
}

interface Named {
  readonly name: string;
}

/** One series, which has no labels or has their values already. */
class Series {
  readonly metric: Named;

  constructor(metric: Named) {
    this.metric = metric;
  }

  with(...values: readonly unknown[]): this {
    if (values.length === 0) return this;
    throw new TypeError(
      `Cannot find a series of the metric "${this.metric.name}" by ${values.length} values: it has no labels, or they are chosen already.`,
    );
  }
}

export class CounterSeries extends Series implements Counter<readonly []> {
  value = 0;

  inc(): void {
    this.value += 1;
  }

  add(value: number): void {
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(
        `Cannot add ${value} to the counter "${this.metric.name}": use a finite number from 0 up, or make it a gauge.`,
      );
    }
    this.value += value;
  }
}

export class GaugeSeries extends Series implements Gauge<readonly []> {
  value = 0;

  inc(): void {
    this.value += 1;
  }

  dec(): void {
    this.value -= 1;
  }

  add(value: number): void {
    this.value += finite(value, this.metric, "add");
  }

  set(value: number): void {
    this.value = finite(value, this.metric, "set");
  }
}

export class HistogramSeries extends Series implements Histogram<readonly []> {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;

  constructor(metric: Named, bounds: readonly number[]) {
    super(metric);
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.sum += finite(value, this.metric, "observe");
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
  }
}

function finite(value: number, metric: Named, act: "add" | "set" | "observe"): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(
    `Cannot ${act} ${value} in the metric "${metric.name}": use a finite number.`,
  );
}
