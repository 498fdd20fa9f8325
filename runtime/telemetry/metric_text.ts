import type { Family } from "./metric_family.ts";
import type { AnyFamily, MetricRegistry } from "./metric_registry.ts";
import { HistogramSeries } from "./metric_series.ts";

export const metricTextType = "text/plain; version=0.0.4; charset=utf-8";

/** Writes every series in the text format of Prometheus, version 0.0.4. */
export function formatMetrics(registry: MetricRegistry): string {
  let text = "";
  for (const family of registry.families) text += formatFamily(family);
  return text;
}

function formatFamily(family: AnyFamily): string {
  const { name, type } = family;
  let text = `# HELP ${name} ${escapeHelp(family.help)}\n# TYPE ${name} ${type}\n`;
  for (const { values, series } of (family as Family<AnySeries>).series) {
    const labels = formatLabels(family.labels, values);
    text += series instanceof HistogramSeries
      ? formatHistogram(series, { name, labels })
      : `${name}${braced(labels)} ${series.value}\n`;
  }
  return text;
}

type AnySeries = HistogramSeries | { readonly value: number };

function formatHistogram(
  { bounds, counts, sum }: HistogramSeries,
  { name, labels }: { readonly name: string; readonly labels: string },
): string {
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

function escapeHelp(text: string): string {
  return text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function escapeValue(text: string): string {
  return /[\\"\n]/.test(text)
    ? text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")
    : text;
}
