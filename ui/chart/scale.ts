/** The scale of all charts: checked series, round steps, numbers in the user's language. */

import { formatOf } from "../../runtime/i18n/mod.ts";
import { requestLanguage } from "../../runtime/addon.ts";

/** One series of values. */
export interface ChartSeries {
  /** Name of the series. */
  readonly name: string;
  /** One value per label. */
  readonly values: readonly number[];
}

/** Options of a chart of series. */
export interface ChartOptions {
  /** Title of the chart. */
  readonly title: string;
  /** The labels along the bottom, such as weeks. */
  readonly labels: readonly string[];
  /** Up to five series. */
  readonly series: readonly ChartSeries[];
  /** Formats a value. @default a number in the user's language */
  readonly format?: (value: number) => string;
}

export interface Scale {
  readonly low: number;
  readonly high: number;
  /** The values of the grid lines, in ascending order. */
  readonly steps: readonly number[];
}

const maxSeries = 5;

/** Reports whether a value can be drawn: sums and differences of larger numbers are not finite. */
export function isDrawable(value: number): boolean {
  return Math.abs(value) <= 1e100;
}

/** Checks the series of a chart. @throws {TypeError} for a missing or invalid value. */
export function checkSeries({ title, labels, series }: ChartOptions): void {
  if (series.length === 0 || series.length > maxSeries) {
    throw new TypeError(
      `Cannot draw the chart "${title}": use 1 to ${maxSeries} series, not ${series.length}.`,
    );
  }
  const wrong = series.find(({ values }) =>
    values.length !== labels.length || !values.every(isDrawable)
  );
  if (wrong === undefined) return;
  throw new TypeError(
    `Cannot draw the chart "${title}": "${wrong.name}" needs one finite number, up to 1e100, for each ` +
      `of the ${labels.length} labels.`,
  );
}

/** Returns round steps that cover all values and zero, as four or a few more lines. */
export function scaleOf(values: readonly number[]): Scale {
  const min = Math.min(0, ...values);
  const max = Math.max(0, ...values);
  const round = roundUp((max - min) / 4 || 0.25);
  // Integers, such as counts, get no fractional steps.
  const step = round < 10 && values.every(Number.isInteger) ? Math.ceil(round) : round;
  const low = Math.floor(min / step) * step;
  const count = Math.max(1, Math.ceil((max - low) / step - 1e-9));
  // Multiply instead of adding, to avoid rounding errors such as 0.1 + 0.2.
  const steps = Array.from(
    { length: count + 1 },
    (_, at) => Number((low + at * step).toPrecision(12)),
  );
  return { low, high: low + count * step, steps };
}

function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const head = value / power;
  const round = [1, 2, 2.5, 5, 10].find((each) => head <= each + 1e-9) ?? 10;
  return round * power;
}

/** Returns a value's height in the drawing: 0 at the top, 100 at the bottom. */
export function heightOf(value: number, { low, high }: Scale): number {
  return Number((100 - (value - low) / (high - low) * 100).toFixed(2));
}

export function formatter({ format }: Pick<ChartOptions, "format">): (value: number) => string {
  if (format !== undefined) return format;
  const { number } = formatOf(requestLanguage() ?? "en");
  return (value) => number(value);
}
