import type { Counter, Gauge, Histogram, Metrics } from "../base/observe/metrics.ts";
import {
  CounterSeries,
  Family,
  type FamilyOptions,
  GaugeSeries,
  HistogramSeries,
  Labelled,
} from "./metric_family.ts";

// deno-fmt-ignore
const durationBuckets: readonly number[] = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

type RegistryOptions = Pick<FamilyOptions<never>, "maxSeries" | "onOverflow">;

type AnyFamily = Family<CounterSeries> | Family<GaugeSeries> | Family<HistogramSeries>;

type Series = CounterSeries | GaugeSeries | HistogramSeries;

interface Entry {
  readonly family: AnyFamily;
  readonly metric: unknown;
}

type Wanted = Pick<FamilyOptions<never>, "name" | "help" | "type" | "labels" | "bounds">;

export class MetricRegistry implements Metrics {
  readonly #options: RegistryOptions;
  readonly #entries = new Map<string, Entry>();
  /** The names of the lines of each metric: no two metrics may write the same. */
  readonly #lines = new Map<string, string>();

  constructor(options: RegistryOptions) {
    this.#options = options;
  }

  get families(): readonly AnyFamily[] {
    return [...this.#entries.values()].map(({ family }) => family);
  }

  counter<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Counter<Labels> {
    const wanted: Wanted = { name, help, type: "counter", labels, bounds: [] };
    return this.#ask(wanted, () => new CounterSeries({ name })) as Counter<Labels>;
  }

  gauge<const Labels extends readonly string[]>(
    name: string,
    help: string,
    ...labels: Labels
  ): Gauge<Labels> {
    const wanted: Wanted = { name, help, type: "gauge", labels, bounds: [] };
    return this.#ask(wanted, () => new GaugeSeries({ name })) as Gauge<Labels>;
  }

  histogram<const Labels extends readonly string[]>(
    name: string,
    help: string,
    buckets: readonly number[] = durationBuckets,
    ...labels: Labels
  ): Histogram<Labels> {
    const bounds = [...buckets];
    const wanted: Wanted = { name, help, type: "histogram", labels, bounds };
    return this.#ask(wanted, () => new HistogramSeries({ name }, bounds)) as Histogram<Labels>;
  }

  #ask<S extends Series>(wanted: Wanted, makeSeries: () => S): unknown {
    const known = this.#entries.get(wanted.name);
    if (known !== undefined) {
      refuseOther(known.family, wanted);
      return known.metric;
    }
    checkWanted(wanted);
    const lines = lineNames(wanted);
    for (const line of lines) {
      const owner = this.#lines.get(line);
      if (owner === undefined) continue;
      throw new TypeError(
        `Cannot make the metric "${wanted.name}": the metric "${owner}" writes lines of the name "${line}"; rename one.`,
      );
    }
    const family = new Family<S>({ ...this.#options, ...wanted, makeSeries });
    const metric = wanted.labels.length > 0 ? new Labelled(family) : family.find([]);
    for (const line of lines) this.#lines.set(line, wanted.name);
    this.#entries.set(wanted.name, { family, metric } as Entry);
    return metric;
  }
}

function lineNames({ name, type }: Pick<Wanted, "name" | "type">): string[] {
  return type === "histogram" ? [name, `${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
}

/** Rejects a name that is already used for a different metric; the first help text is kept. */
function refuseOther(known: AnyFamily, wanted: Wanted): void {
  const difference = known.type !== wanted.type
    ? `it is a ${known.type}`
    : !isSame(known.labels, wanted.labels)
    ? `its labels are (${known.labels.join(", ")})`
    : !isSame(known.bounds, wanted.bounds)
    ? `its buckets are (${known.bounds.join(", ")})`
    : undefined;
  if (difference === undefined) return;
  throw new TypeError(
    `Cannot make the metric "${wanted.name}" a second time: ${difference}; ask for the same, or choose another name.`,
  );
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function checkWanted({ name, labels, type, bounds }: Wanted): void {
  if (!/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name)) {
    throw new TypeError(
      `Cannot make the metric "${name}": a name has letters, digits, "_" and ":", and starts with no digit.`,
    );
  }
  for (const label of labels) {
    const fault = !/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(label)
      ? 'a name has letters, digits and "_", and starts with no digit'
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

function formatFamily(family: AnyFamily): string {
  const { name, type } = family;
  const help = family.help.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  let text = `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  for (const { values, series } of (family as Family<AnySeries>).series) {
    const labels = formatLabels(family.labels, values);
    text += series instanceof HistogramSeries
      ? formatHistogram(series, name, labels)
      : `${name}${braced(labels)} ${series.value}\n`;
  }
  return text;
}

type AnySeries = HistogramSeries | { readonly value: number };

function formatHistogram(series: HistogramSeries, name: string, labels: string): string {
  const { bounds, counts, sum } = series;
  const open = labels === "" ? "" : `${labels},`;
  let text = "";
  let total = 0;
  for (const [index, count] of counts.entries()) {
    total += count;
    text += `${name}_bucket{${open}le="${bounds[index] ?? "+Inf"}"} ${total}\n`;
  }
  return `${text}${name}_sum${braced(labels)} ${sum}\n${name}_count${braced(labels)} ${total}\n`;
}

function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, index) => `${name}="${escapeValue(values[index] ?? "")}"`).join(",");
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

function escapeValue(text: string): string {
  return /[\\"\n]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    : text;
}
