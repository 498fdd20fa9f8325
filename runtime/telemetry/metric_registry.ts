import type { Counter, Gauge, Histogram, Metrics } from "../base/observe/metrics.ts";

// deno-fmt-ignore
const durationBuckets: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Label values are truncated here, so that client input cannot fill the memory. */
const maxValueChars = 200;

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

/** A metric; without labels its only series exists from the start. */
class Family {
  readonly wanted: Wanted;
  readonly #limits: Limits;
  readonly #series = new Map<string, Series>();
  #isFull = false;

  constructor(wanted: Wanted, limits: Limits) {
    this.wanted = wanted;
    this.#limits = limits;
    if (wanted.labels.length === 0) this.#make([]);
  }

  get series(): Iterable<Series> {
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
    return this.#series.get(keyOf(values)) ?? this.#open(values);
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
    return this.#series.get(keyOf(others)) ?? this.#make(others);
  }

  #make(values: readonly string[]): Series {
    const series = new Series(this.wanted, values);
    this.#series.set(keyOf(values), series);
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

type One = readonly [];

/** One series: without labels, or with all values set. Its interface has the methods of its type only. */
class Series implements Counter<One>, Gauge<One>, Histogram<One> {
  readonly values: readonly string[];
  readonly #wanted: Wanted;
  /** The number of a counter or a gauge, the sum of a histogram. */
  value = 0;
  readonly counts: Float64Array;

  constructor(wanted: Wanted, values: readonly string[]) {
    this.#wanted = wanted;
    this.values = values;
    this.counts = new Float64Array(wanted.bounds.length + 1);
  }

  with(...values: readonly unknown[]): this {
    if (values.length === 0) return this;
    throw new TypeError(
      `Cannot find a series of the metric "${this.#wanted.name}" by ${values.length} values: it has no labels, or they are chosen already.`,
    );
  }

  inc(): void {
    this.value += 1;
  }

  dec(): void {
    this.value -= 1;
  }

  add(value: number): void {
    const { name, type } = this.#wanted;
    if (type === "counter" && !(value >= 0 && value < Infinity)) {
      throw new RangeError(
        `Cannot add ${value} to the counter "${name}": use a finite number from 0 up, or make it a gauge.`,
      );
    }
    this.value += finite(value, name, "add");
  }

  set(value: number): void {
    this.value = finite(value, this.#wanted.name, "set");
  }

  observe(value: number): void {
    const { name, bounds } = this.#wanted;
    this.value += finite(value, name, "observe");
    let at = 0;
    while (at < bounds.length && value > (bounds[at] ?? Infinity)) at++;
    this.counts[at] = (this.counts[at] ?? 0) + 1;
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
  for (const series of all) {
    const labels = series.values.map((value, at) => {
      const shown = value.replace(/[\\"\n]/g, (char) => char === "\n" ? "\\n" : `\\${char}`);
      return `${names[at]}="${shown}"`;
    }).join(",");
    text += type === "histogram"
      ? formatHistogram(wanted, series, labels)
      : `${name}${braced(labels)} ${series.value}\n`;
  }
  return text;
}

function formatHistogram({ name, bounds }: Wanted, series: Series, labels: string): string {
  const open = labels === "" ? "" : `${labels},`;
  let text = "";
  let total = 0;
  for (const [index, count] of series.counts.entries()) {
    total += count;
    text += `${name}_bucket{${open}le="${bounds[index] ?? "+Inf"}"} ${total}\n`;
  }
  const end = braced(labels);
  return `${text}${name}_sum${end} ${series.value}\n${name}_count${end} ${total}\n`;
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}
