import type { Counter, Gauge, Histogram, Metrics } from "../base/observe/metrics.ts";

// deno-fmt-ignore
const durationBuckets: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Label values are truncated here, so that client input cannot fill the memory. */
const maxValueChars = 200;

/** The label value of the overflow series. */
const overflowValue = "other";

interface Limits {
  readonly maxSeries: (name: string) => number;
  /** Called once, when the limit is exceeded. */
  readonly onOverflow: (metric: { readonly name: string }) => void;
}

interface Wanted {
  readonly name: string;
  readonly help: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly labels: readonly string[];
  readonly bounds: readonly number[];
}

type Series = CounterSeries | GaugeSeries | HistogramSeries;

/** A metric; without labels its only series exists from the start. */
class Family {
  readonly wanted: Wanted;
  readonly #limits: Limits;
  readonly #series = new Map<
    string,
    { readonly values: readonly string[]; readonly series: Series }
  >();
  #isFull = false;

  constructor(wanted: Wanted, limits: Limits) {
    this.wanted = wanted;
    this.#limits = limits;
    if (wanted.labels.length === 0) this.#make([]);
  }

  get series(): Iterable<{ readonly values: readonly string[]; readonly series: Series }> {
    return this.#series.values();
  }

  /** Returns the series with these label values, which is created on first use. */
  with(...given: readonly unknown[]): Series {
    const { name, labels } = this.wanted;
    if (given.length !== labels.length) {
      throw new TypeError(
        `Cannot find a series of the metric "${name}" by ${given.length} values: use one for each label (${
          labels.join(", ")
        }).`,
      );
    }
    const values = given.map(cleanValue);
    return this.#series.get(keyOf(values))?.series ?? this.#open(values);
  }

  #open(values: readonly string[]): Series {
    const { name } = this.wanted;
    if (this.#series.size < this.#limits.maxSeries(name)) return this.#make(values);
    if (!this.#isFull) {
      // Set before the report, which may count in this metric.
      this.#isFull = true;
      this.#limits.onOverflow({ name });
    }
    // The application may have created a series with these labels: there must not be two.
    const others = values.map(() => overflowValue);
    return this.#series.get(keyOf(others))?.series ?? this.#make(others);
  }

  #make(values: readonly string[]): Series {
    const { name, type, bounds } = this.wanted;
    const series = type === "histogram"
      ? new HistogramSeries(name, bounds)
      : new (type === "counter" ? CounterSeries : GaugeSeries)(name);
    this.#series.set(keyOf(values), { values, series });
    return series;
  }

  readonly inc = (): never => {
    const { name, labels } = this.wanted;
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

function cleanValue(value: unknown): string {
  const text = typeof value === "string" ? value : String(value);
  // Lone surrogates cannot be written as UTF-8, so two label values would become the same series.
  return text.slice(0, maxValueChars).toWellFormed();
}

function keyOf(values: readonly string[]): string {
  const [first = ""] = values;
  return values.length < 2 ? first : JSON.stringify(values);
}

/** One series: without labels, or with all values set. */
class OneSeries {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  with(...values: readonly unknown[]): this {
    if (values.length === 0) return this;
    throw new TypeError(
      `Cannot find a series of the metric "${this.name}" by ${values.length} values: it has no labels, or they are chosen already.`,
    );
  }
}

class CounterSeries extends OneSeries implements Counter<readonly []> {
  value = 0;

  inc(): void {
    this.value += 1;
  }

  add(value: number): void {
    if (!(value >= 0 && value < Infinity)) {
      throw new RangeError(
        `Cannot add ${value} to the counter "${this.name}": use a finite number from 0 up, or make it a gauge.`,
      );
    }
    this.value += value;
  }
}

class GaugeSeries extends CounterSeries implements Gauge<readonly []> {
  dec(): void {
    this.value -= 1;
  }

  override add(value: number): void {
    this.value += finite(value, this.name, "add");
  }

  set(value: number): void {
    this.value = finite(value, this.name, "set");
  }
}

class HistogramSeries extends OneSeries implements Histogram<readonly []> {
  readonly bounds: readonly number[];
  readonly counts: Float64Array;
  sum = 0;

  constructor(name: string, bounds: readonly number[]) {
    super(name);
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    this.sum += finite(value, this.name, "observe");
    const { bounds, counts } = this;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++;
    counts[at] = (counts[at] ?? 0) + 1;
  }
}

function finite(value: number, name: string, act: "add" | "set" | "observe"): number {
  if (Number.isFinite(value)) return value;
  throw new RangeError(`Cannot ${act} ${value} in the metric "${name}": use a finite number.`);
}

export class MetricRegistry implements Metrics {
  readonly #limits: Limits;
  readonly #families = new Map<string, Family>();
  /** The names of each metric's lines; no two metrics may write the same one. */
  readonly #lines = new Map<string, string>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get families(): Iterable<Family> {
    return this.#families.values();
  }

  counter<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Counter<Labels> {
    return this.#ask({ name, help, type: "counter", labels, bounds: [] }) as Counter<Labels>;
  }

  gauge<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Gauge<Labels> {
    return this.#ask({ name, help, type: "gauge", labels, bounds: [] }) as Gauge<Labels>;
  }

  histogram<const Labels extends readonly string[]>(
    name: string,
    help: string,
    buckets: readonly number[] = durationBuckets,
    ...labels: Labels
  ): Histogram<Labels> {
    const wanted: Wanted = { name, help, type: "histogram", labels, bounds: [...buckets] };
    return this.#ask(wanted) as Histogram<Labels>;
  }

  #ask(wanted: Wanted): unknown {
    const known = this.#families.get(wanted.name);
    if (known === undefined) return this.#make(wanted);
    refuseOther(known.wanted, wanted);
    return wanted.labels.length > 0 ? known : known.with();
  }

  #make(wanted: Wanted): unknown {
    const { name, labels, type } = wanted;
    checkWanted(wanted);
    const lines = type === "histogram"
      ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]
      : [name];
    const taken = lines.find((line) => this.#lines.has(line));
    if (taken !== undefined) {
      throw new TypeError(
        `Cannot create the metric "${name}": the metric "${
          this.#lines.get(taken)
        }" writes lines of the name "${taken}"; rename one.`,
      );
    }
    for (const line of lines) this.#lines.set(line, name);
    const family = new Family(wanted, this.#limits);
    this.#families.set(name, family);
    return labels.length > 0 ? family : family.with();
  }
}

/** Rejects a name that is already used for a different metric; the first help text is kept. */
function refuseOther(known: Wanted, wanted: Wanted): void {
  const difference = known.type !== wanted.type
    ? `it is a ${known.type}`
    : !isSame(known.labels, wanted.labels)
    ? `its labels are (${known.labels.join(", ")})`
    : !isSame(known.bounds, wanted.bounds)
    ? `its buckets are (${known.bounds.join(", ")})`
    : undefined;
  if (difference === undefined) return;
  throw new TypeError(
    `Cannot create the metric "${wanted.name}" a second time: ${difference}; use the same definition, or another name.`,
  );
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function checkWanted({ name, labels, type, bounds }: Wanted): void {
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) {
    throw new TypeError(
      `Cannot create the metric "${name}": use letters, digits, "_" and ":", not starting with a digit.`,
    );
  }
  for (const label of labels) {
    const fault = !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label)
      ? 'use letters, digits and "_", not starting with a digit'
      : label === "le" || label.startsWith("__")
      ? 'the name is reserved: "le" is for buckets, and "__" for Prometheus itself'
      : labels.indexOf(label) !== labels.lastIndexOf(label)
      ? "it is there twice"
      : undefined;
    if (fault === undefined) continue;
    throw new TypeError(`Cannot give the metric "${name}" the label "${label}": ${fault}.`);
  }
  if (type !== "histogram") return;
  const rises = bounds.every((bound, index) =>
    Number.isFinite(bound) && bound > (bounds[index - 1] ?? -Infinity)
  );
  if (rises && bounds.length > 0) return;
  throw new RangeError(
    `Cannot give the histogram "${name}" the buckets (${
      bounds.join(", ")
    }): use finite numbers in rising order; the infinite bucket is there by itself.`,
  );
}

export const metricTextType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes every series in the text format of Prometheus, version 0.0.4. */
export function formatMetrics(registry: MetricRegistry): string {
  let text = "";
  for (const family of registry.families) text += formatFamily(family);
  return text;
}

function formatFamily({ wanted, series: all }: Family): string {
  const { name, type, labels: names } = wanted;
  const help = wanted.help.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const { values, series } of all) {
    const labels = names.map((name, index) => `${name}="${escapeValue(values[index] ?? "")}"`)
      .join(",");
    text += series instanceof HistogramSeries
      ? formatHistogram(series, labels)
      : `${name}${braced(labels)} ${series.value}\n`;
  }
  return text;
}

function formatHistogram(series: HistogramSeries, labels: string): string {
  const { name, bounds, counts, sum } = series;
  const open = labels === "" ? "" : `${labels},`;
  let text = "";
  let total = 0;
  for (const [index, count] of counts.entries()) {
    total += count;
    text += `${name}_bucket{${open}le="${bounds[index] ?? "+Inf"}"} ${total}\n`;
  }
  return `${text}${name}_sum${braced(labels)} ${sum}\n${name}_count${braced(labels)} ${total}\n`;
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

function escapeValue(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => char === "\n" ? "\\n" : `\\${char}`);
}
