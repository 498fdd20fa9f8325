/** Charts of series, drawn on the server as SVG: lines, areas, bars. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { word } from "../labels.ts";
import { num, table } from "../table.ts";
import { hiddenCaption } from "../variants.ts";
import {
  type ChartOptions,
  checkSeries,
  formatter,
  heightOf,
  isDrawable,
  type Scale,
  scaleOf,
} from "./scale.ts";

/** Options of {@linkcode lineChart}. */
export interface LineChartOptions extends ChartOptions {
  /** Whether the area below the first line is filled. @default false */
  readonly area?: boolean;
}

/** Options of {@linkcode barChart}. */
export interface BarChartOptions extends ChartOptions {
  /** Whether the series of a label are stacked; no value may be negative. @default false */
  readonly stacked?: boolean;
}

/**
 * Renders lines over time, with axes, a legend, and the numbers as a table that opens below. Nothing runs
 * in the browser.
 *
 * @param options Title, labels, series.
 * @param children {@linkcode hiddenCaption} if a heading above shows the title; attributes.
 * @returns A `figure`.
 * @throws {TypeError} if a series lacks a finite number for a label, and for more than five series.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const chart = ui.lineChart({
 *   title: "Products added",
 *   labels: ["7 Sep", "14 Sep", "21 Sep"],
 *   series: [{ name: "This year", values: [6, 9, 8] }],
 *   area: true,
 * });
 * assertStringIncludes(h.render(chart), "<title>Products added</title>");
 * ```
 */
export function lineChart(options: LineChartOptions, ...children: Child[]): Node {
  checkSeries(options);
  const { labels, series, area = false } = options;
  const scale = scaleOf(series.flatMap(({ values }) => values));
  const lines = series.map(({ values }, at) => {
    const line = lineOf(values, scale);
    const class_ = h.class(`ui-series-${at + 1}`);
    const base = heightOf(0, scale);
    return line !== "" && h.group(
      area && at === 0 &&
        h.path(h.class("ui-area"), class_, h.d(`M0 ${base}L${line}L100 ${base}z`)),
      h.path(h.class("ui-line"), class_, h.d(`M${line}`)),
    );
  });
  const show = formatter(options);
  const width = labels.length > 1 ? 100 / (labels.length - 1) : 100;
  // Hovering over a strip around a point shows its values.
  const strips = labels.map((label, at) =>
    h.rect(
      h.class("ui-strip"),
      place("x", labels.length > 1 ? (at - 0.5) * width : 0),
      place("width", width),
      place("height", 100),
      h.title(
        series.map(({ name, values }) => `${label}, ${name}: ${show(values[at] ?? 0)}`).join("\n"),
      ),
    )
  );
  const [only, more] = series;
  const last = more === undefined && only !== undefined && lastPoint(only.values, scale, show);
  return figure(options, { scale, drawing: [...lines, ...strips], last, isBars: false }, children);
}

/** Labels the newest point of a single line; with several lines, the labels would overlap. */
function lastPoint(
  values: readonly number[],
  scale: Scale,
  show: (value: number) => string,
): Child {
  const value = values.at(-1);
  if (value === undefined) return undefined;
  const y = `${heightOf(value, scale)}%`;
  // A falling line comes from above, so place the label below.
  const isBelow = value < (values.at(-2) ?? value) &&
    value - scale.low > (scale.high - scale.low) / 5;
  return [
    h.circle(h.class("ui-bar ui-series-1"), h.cx("100%"), h.cy(y), h.r(4)),
    h.el(
      "text",
      h.x("100%"),
      h.y(y),
      h.attr("dy", isBelow ? "1.6em" : "-.8em"),
      h.attr("text-anchor", "end"),
      h.fill("currentColor"),
      show(value),
    ),
  ];
}

/**
 * Renders bars, side by side or stacked, as {@linkcode lineChart} renders lines.
 *
 * @param options Title, labels, series.
 * @param children {@linkcode hiddenCaption} if a heading above shows the title; attributes.
 * @returns A `figure`.
 * @throws {TypeError} as for {@linkcode lineChart}, and for a negative value in a stack.
 *
 * @example
 * ```ts
 * import * as ui from "@fw/fw/ui";
 *
 * ui.barChart({
 *   title: "Tickets by week",
 *   labels: ["Week 1", "Week 2"],
 *   series: [{ name: "Open", values: [4, 2] }, { name: "Closed", values: [7, 9] }],
 *   stacked: true,
 * });
 * ```
 */
export function barChart(options: BarChartOptions, ...children: Child[]): Node {
  checkSeries(options);
  const { title, labels, series, stacked = false } = options;
  const values = series.flatMap((each) => each.values);
  if (stacked && values.some((value) => value < 0)) {
    throw new TypeError(`Cannot stack the chart "${title}": a value is negative.`);
  }
  const sums = labels.map((_, at) => series.reduce((sum, each) => sum + (each.values[at] ?? 0), 0));
  const scale = scaleOf(stacked ? sums : values);
  const show = formatter(options);
  const slot = 100 / labels.length;
  const width = slot * 0.64 / (stacked ? 1 : series.length);
  const drawing = labels.flatMap((label, at) => {
    let below = 0;
    return series.map(({ name, values }, nth) => {
      const value = values[at] ?? 0;
      const start = stacked ? below : 0;
      below += value;
      const [top, bottom] = [heightOf(start + value, scale), heightOf(start, scale)];
      return h.rect(
        h.class(`ui-bar ui-series-${nth + 1}`),
        place("x", at * slot + slot * 0.18 + (stacked ? 0 : nth * width)),
        place("width", width),
        place("y", Math.min(top, bottom)),
        place("height", Math.abs(bottom - top)),
        h.title(`${label}, ${name}: ${show(value)}`),
      );
    });
  });
  return figure(options, { scale, drawing, isBars: true }, children);
}

/**
 * Renders a small line beside a figure, without axes. Screen readers skip it, because the figure and its
 * change contain the same information.
 *
 * @param values The values in order.
 * @returns An `svg`, or nothing for fewer than two values.
 */
export function sparkline(values: readonly number[]): Node {
  if (values.length < 2 || !values.every(isDrawable)) return h.fragment();
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const line = lineOf(values, { low, high: high === low ? low + 1 : high, steps: [] });
  return h.svg(
    h.class("ui-spark"),
    h.viewBox("0 0 100 100"),
    h.preserveAspectRatio("none"),
    h.aria("hidden", "true"),
    h.path(h.class("ui-area"), h.d(`M0 100L${line}L100 100z`)),
    h.path(h.class("ui-line"), h.d(`M${line}`)),
  );
}

/** Returns the path of a line from edge to edge, without its first command. */
function lineOf(values: readonly number[], scale: Scale): string {
  // A single value becomes a horizontal line.
  const shown = values.length === 1 ? [...values, ...values] : values;
  const points = shown.map((value, at) => {
    const x = Number((at / (shown.length - 1) * 100).toFixed(2));
    return `${x} ${heightOf(value, scale)}`;
  });
  return points.join("L");
}

function place(name: string, value: number): Node {
  return h.attr(name, String(Number(value.toFixed(2))));
}

function figure(
  options: ChartOptions,
  { scale, drawing, last, isBars }: {
    readonly scale: Scale;
    readonly drawing: readonly Child[];
    /** The elements of fixed size, at positions in percent. */
    readonly last?: Child;
    readonly isBars: boolean;
  },
  children: readonly Child[],
): Node {
  const { title, labels, series } = options;
  const show = formatter(options);
  return h.figure(
    h.class("ui-chart"),
    ...children,
    h.figcaption(
      h.span(h.class("ui-chart-title"), title),
      series.length > 1 && legend(series.map(({ name }) => name)),
    ),
    h.div(
      h.class("ui-plot-frame"),
      // The table contains these numbers too.
      h.div(
        h.class("ui-plot-y"),
        h.aria("hidden", "true"),
        h.map(scale.steps, (step) => h.span(show(step))),
      ),
      h.div(
        h.class("ui-plot"),
        h.svg(
          h.role("img"),
          h.title(title),
          h.svg(
            h.viewBox("0 0 100 100"),
            h.preserveAspectRatio("none"),
            h.attr("overflow", "visible"),
            h.path(
              h.class("ui-grid-line"),
              h.d(scale.steps.map((step) => `M0 ${heightOf(step, scale)}h100`).join("")),
            ),
            ...drawing,
          ),
          last,
        ),
      ),
      h.div(
        h.class(isBars ? "ui-plot-x ui-bars" : "ui-plot-x"),
        h.aria("hidden", "true"),
        h.map(shownLabels(labels, isBars), (label) => h.span(label)),
      ),
    ),
    numbers(options, show),
  );
}

/** Returns the labels that fit: evenly spaced for lines, below their bars for bars. */
function shownLabels(labels: readonly string[], isBars: boolean): readonly string[] {
  const most = isBars ? 12 : 7;
  if (labels.length <= most) return labels;
  if (isBars) {
    const every = Math.ceil(labels.length / most);
    return labels.map((label, at) => at % every === 0 ? label : "");
  }
  const gaps = labels.length - 1;
  let every = Math.ceil(gaps / (most - 1));
  while (gaps % every !== 0) every++;
  return labels.filter((_, at) => at % every === 0);
}

function legend(names: readonly string[]): Node {
  return h.span(
    h.class("ui-legend"),
    h.mapIndex(names, (name, at) => h.span(h.class(`ui-series-${at + 1}`), name)),
  );
}

function numbers({ title, labels, series }: ChartOptions, show: (value: number) => string): Node {
  return h.details(
    h.summary(word("numbers")),
    table(
      title,
      hiddenCaption,
      h.thead(h.tr(
        h.td(),
        h.map(series, ({ name }) => h.th(h.scope("col"), num(), name)),
      )),
      h.tbody(
        h.mapIndex(labels, (label, at) =>
          h.tr(
            h.th(h.scope("row"), label),
            h.map(series, ({ values }) => h.td(num(), show(values[at] ?? 0))),
          )),
      ),
    ),
  );
}
