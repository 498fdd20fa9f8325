/** The shares of a whole, as a ring with a list. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import { formatOf } from "../../runtime/i18n/mod.ts";
import { requestLanguage } from "../../runtime/addon.ts";
import { formatter, isDrawable } from "./scale.ts";

/** A part of a whole. */
export interface ChartPart {
  /** Label of the part. */
  readonly label: string;
  /** Amount, 0 or more. */
  readonly value: number;
  /** The tone of a status, such as {@linkcode success}, for its colour. @default the next chart colour */
  readonly tone?: Child;
}

/** Options of {@linkcode donutChart}. */
export interface DonutChartOptions {
  /** Title of the chart. */
  readonly title: string;
  /** The parts. */
  readonly parts: readonly ChartPart[];
  /** Unit of the sum in the middle, such as "products". @default none */
  readonly unit?: string;
  /** Formats a value. @default a number in the user's language */
  readonly format?: (value: number) => string;
}

const radius = 42;
const circumference = 2 * Math.PI * radius;

/**
 * Renders the shares of a whole as a ring, with the sum in its middle and a list of the numbers, which
 * is the chart's text alternative.
 *
 * @param options Title, parts.
 * @param children Attributes.
 * @returns A `figure`.
 * @throws {TypeError} if a value is negative, not finite or over 1e100.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import * as h from "@fw/fw/h";
 * import * as ui from "@fw/fw/ui";
 *
 * const chart = ui.donutChart({
 *   title: "By status",
 *   unit: "products",
 *   parts: [{ label: "Active", value: 84, tone: ui.success }, { label: "Draft", value: 31 }],
 * });
 * assertStringIncludes(h.render(chart), "84 · 73%");
 * ```
 */
export function donutChart(options: DonutChartOptions, ...children: Child[]): Node {
  const { title, parts, unit } = options;
  if (parts.some(({ value }) => !(value >= 0 && isDrawable(value)))) {
    throw new TypeError(`Cannot draw the chart "${title}": use numbers from 0 to 1e100.`);
  }
  const sum = parts.reduce((total, { value }) => total + value, 0);
  const show = formatter(options);
  const { number } = formatOf(requestLanguage() ?? "en");
  const percents = wholePercents(parts.map(({ value }) => value / (sum || 1)));
  let before = 0;
  const ring = parts.map((part, at) => {
    const share = sum === 0 ? 0 : part.value / sum * circumference;
    const start = before;
    before += share;
    // A gap between parts, at most half of a small part.
    const drawn = Math.max(share - Math.min(2.5, share / 2), 0);
    return h.circle(
      series(parts, at),
      h.attr("cx", "50"),
      h.attr("cy", "50"),
      h.attr("r", String(radius)),
      h.attr("stroke-dasharray", `${drawn.toFixed(2)} ${circumference.toFixed(2)}`),
      h.attr("stroke-dashoffset", `${(-start).toFixed(2)}`),
      h.title(`${part.label}: ${show(part.value)}`),
    );
  });
  return h.figure(
    h.class("ui-chart"),
    ...children,
    h.div(
      h.class("ui-donut-box"),
      h.svg(h.viewBox("0 0 100 100"), h.role("img"), h.title(title), ...ring),
      h.p(h.strong(show(sum)), unit),
    ),
    h.ul(
      h.class("ui-shares"),
      h.mapIndex(parts, (part, at) =>
        h.li(
          series(parts, at),
          part.label,
          h.span(
            h.class("ui-num"),
            `${show(part.value)} · ${number((percents[at] ?? 0) / 100, { style: "percent" })}`,
          ),
        )),
    ),
  );
}

/** Rounds shares so that the percentages still add up to 100, by the largest remainder. */
function wholePercents(shares: readonly number[]): readonly number[] {
  const percents = shares.map((share) => Math.floor(share * 100));
  const left = Math.round(shares.reduce((a, b) => a + b, 0) * 100) -
    percents.reduce((a, b) => a + b, 0);
  const rest = (at: number): number => (shares[at] ?? 0) * 100 - (percents[at] ?? 0);
  const largest = [...shares.keys()].sort((a, b) => rest(b) - rest(a)).slice(0, left);
  return percents.map((percent, at) => largest.includes(at) ? percent + 1 : percent);
}

/** Returns the colour of a part. A repeated tone is paler, so that parts can be distinguished. */
function series(parts: readonly ChartPart[], at: number): Child {
  const write = (part: ChartPart | undefined): string => h.render(h.i(part?.tone));
  const tone = parts[at]?.tone;
  // A value may have no tone.
  if (tone === undefined || (Array.isArray(tone) && tone.length === 0)) {
    return h.class(`ui-series-${at % 5 + 1}`);
  }
  const isAgain = parts.slice(0, at).some((part) => write(part) === write(parts[at]));
  return h.group(h.class("ui-series-tone", isAgain && "ui-again"), tone);
}
