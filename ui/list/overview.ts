/** The overview of an application: counts of rows, additions, and newest rows. */

import * as h from "../../html/mod.ts";
import type { Child, Node } from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import { formatOf } from "../../runtime/i18n/mod.ts";
import { buttonLink } from "../button.ts";
import { lineChart, sparkline } from "../chart/chart.ts";
import { donutChart } from "../chart/donut.ts";
import { card, cardHeader, delta, emptyState, stat } from "../display.ts";
import { grid, pageHeader, row, split } from "../frame.ts";
import { icon } from "../icon/icon.ts";
import { scene } from "../icon/scene.ts";
import { word } from "../labels.ts";
import { type Column, dataTable } from "../table.ts";
import { segmented } from "./filter.ts";
import { type Activity, activityCard } from "./history.ts";
import { amount } from "../time.ts";
import { hiddenCaption, muted, outline, small } from "../variants.ts";

/** The growth of the rows of a part, as returned by `growth` of `TableStore`. */
export interface PartGrowth {
  /** The number of rows. */
  readonly total: number;
  /** The number of rows added in each week, the current week last. */
  readonly added: readonly number[];
  /** The number of rows after each week. */
  readonly counts: readonly number[];
  /** The sum of a column after each week. */
  readonly sums: readonly number[];
  /** The number of rows with each value. */
  readonly shares: ReadonlyMap<string, number>;
}

/** One kind of rows in {@linkcode overviewPage}. */
export interface OverviewPart {
  /** The name of the rows. */
  readonly title: string;
  /** The URL of their list. */
  readonly href: string;
  /** The link to a new row: URL and text. */
  readonly create: readonly [href: string, text: string];
  /** Whether the user may not add rows, which hides the link. @default false */
  readonly isReadOnly?: boolean;
  /** The growth of the rows. */
  readonly growth: PartGrowth;
  /** The newest rows: {@linkcode newestRows}. */
  readonly newest: Node;
  /** The field whose shares `growth` contains: its label and values. @default none is drawn */
  readonly share?: {
    readonly label: string;
    readonly parts: readonly {
      readonly value: string;
      readonly label: string;
      readonly tone?: Child;
    }[];
  };
  /** The newest changes of the rows, with the rows' names. @default none are shown */
  readonly activity?: readonly Activity[];
  /** The amounts of money that `growth` added up. @default none */
  readonly sum?: { readonly label: string; readonly currency: string };
}

const weekMs = 7 * 24 * 60 * 60 * 1_000;

const maxFigures = 4;

const maxSeries = 5;

const maxActivity = 5;

/** The columns that fit beside the activity; money, dates and badges before texts. */
const maxColumns = 4;

/** The weeks of the shorter period, selected by `weeks=4` in the URL. */
const shortWeeks = 4;

/**
 * Renders an overview: figures with their growth, weekly additions, the shares of a field, and the newest
 * rows.
 *
 * @param c The request.
 * @param title The heading.
 * @param parts The kinds of rows, at least one.
 * @returns The content of the page.
 *
 * @example
 * ```ts
 * import type { Ctx } from "@fw/fw";
 * import { testPage } from "@fw/fw/testing";
 * import * as ui from "@fw/fw/ui";
 *
 * const part: ui.OverviewPart = {
 *   title: "Products",
 *   href: "/products",
 *   create: ["/products/new", "New product"],
 *   growth: { total: 3, added: [1, 2], counts: [1, 3], sums: [], shares: new Map() },
 *   newest: ui.newestRows("Products", [{ name: "Mug" }], [
 *     { title: "Product", cell: ({ name }) => name },
 *   ]),
 * };
 * const page = (c: Ctx) => ui.overviewPage(c, "Overview", [part]);
 * await testPage({ page }, "/").wantContains("New this week: products (2)");
 * ```
 */
export function overviewPage(
  c: Ctx,
  title: string,
  parts: readonly OverviewPart[],
): Node {
  const all = parts[0]?.growth.added.length ?? 0;
  const weeks = c.query("weeks") === String(shortWeeks) ? Math.min(shortWeeks, all) : all;
  const shown = parts.map((part) => ({ ...part, growth: recent(part.growth, weeks) }));
  // Without rows, there is nothing to draw.
  const filled = shown.filter(({ growth }) => growth.total > 0);
  const added = filled.length > 0 && card(
    cardHeader(h.h2(word("added"))),
    lineChart({
      title: word("added"),
      labels: weekLabels(c, weeks),
      series: filled.slice(0, maxSeries)
        .map(({ title, growth }) => ({ name: title, values: growth.added })),
      area: filled.length === 1,
    }, hiddenCaption),
  );
  const shared = filled.find(({ share }) => share !== undefined);
  const [first, ...others] = filled.slice(0, 3).map((part) => newestCard(c, part));
  const addable = parts.filter(({ isReadOnly }) => !isReadOnly && !c.isExport);
  // The kind of rows added most often.
  const [main] = addable.toSorted((one, other) => other.growth.total - one.growth.total);
  const activity = parts.flatMap(({ activity = [] }) => activity)
    .toSorted((one, other) => other.at.getTime() - one.at.getTime()).slice(0, maxActivity);
  return h.fragment(
    pageHeader(
      title,
      h.p(summary(c, parts)),
      filled.length > 0 && all > shortWeeks && segmented(
        word("period"),
        [shortWeeks, all].map((each) => ({
          label: word("weeks").replace("{count}", String(each)),
          href: each === all ? c.url.pathname : `${c.url.pathname}?weeks=${each}`,
          current: each === weeks,
        })),
      ),
      filled.length > 0 && main && buttonLink(main.create[0], icon("plus"), main.create[1]),
    ),
    filled.length === 0
      ? beginning(addable)
      : grid(small, h.map(figures(c, shown).slice(0, maxFigures), (figure) => card(figure))),
    shared === undefined ? added : split(added, shareCard(c, shared)),
    first && activity.length > 0 ? split(first, activityCard(c, activity)) : first,
    others,
  );
}

function beginning(parts: readonly OverviewPart[]): Node {
  const links = parts.map(({ create: [href, text] }, at) =>
    buttonLink(href, at > 0 && outline, icon("plus"), text)
  );
  const begin = links.length > 0 && [h.p(word("noRowsHelp")), row(links)];
  return emptyState(word("noRows"), scene("box"), begin);
}

function recent({ added, counts, sums, ...all }: PartGrowth, weeks: number): PartGrowth {
  const last = (values: readonly number[]): readonly number[] => values.slice(-weeks);
  return { ...all, added: last(added), counts: last(counts), sums: last(sums) };
}

/**
 * Returns a greeting for the user's time of day.
 *
 * @param c The request, for its language and its zone.
 * @param name The name of the user, of which the greeting contains the first word.
 * @default name the greeting has no name
 * @returns A heading for {@linkcode overviewPage}, such as "Good morning, Ada".
 */
export function greeting(c: Ctx, name?: string): string {
  const format = { hour: "numeric", hourCycle: "h23", timeZone: c.zone } as const;
  const hour = Number(new Intl.DateTimeFormat("en", format).format(new Date()));
  const text = word(
    hour < 5 || hour >= 18 ? "goodEvening" : hour < 12 ? "goodMorning" : "goodAfternoon",
  );
  const [first = ""] = name?.trim().split(/\s+/) ?? [];
  return first === "" ? text : `${text}, ${first}`;
}

function weekLabels(c: Ctx, weeks: number): readonly string[] {
  const { date } = formatOf(c.language);
  const format = { day: "numeric", month: "short", timeZone: c.zone } as const;
  const first = Date.now() - (weeks - 1) * weekMs;
  return Array.from({ length: weeks }, (_, at) => date(new Date(first + at * weekMs), format));
}

function summary(c: Ctx, parts: readonly OverviewPart[]): string {
  const { date, number } = formatOf(c.language);
  const today = date(new Date(), { dateStyle: "full", timeZone: c.zone });
  const grown = parts.filter(({ growth }) => (growth.added.at(-1) ?? 0) > 0)
    .map(({ title, growth }) => `${lower(c, title)} (${number(growth.added.at(-1) ?? 0)})`);
  if (grown.length === 0) return today;
  const list = new Intl.ListFormat([c.language, "en"]).format(grown);
  return `${today}. ${word("newThisWeek").replace("{list}", () => list)}.`;
}

/** Returns the figures: the counts, then the sums, averages and shares. */
function figures(c: Ctx, parts: readonly OverviewPart[]): readonly Node[] {
  const { number } = formatOf(c.language);
  const counts = parts.map(({ title, href, growth: { total, counts } }) => {
    // All rows may be newer than the period.
    const before = counts[0] || (counts.at(-2) ?? total);
    return stat(
      h.a(h.href(href), title),
      number(total),
      total > 0 && sparkline(counts),
      total > before && delta(number(total - before), { direction: "up", from: number(before) }),
    );
  });
  const amounts = (name: "sum" | "average"): readonly Node[] =>
    parts.flatMap(({ title, sum, growth: { total, sums, counts } }) => {
      if (sum === undefined || total === 0) return [];
      const named = word(name).replace("{field}", () => lower(c, sum.label));
      const values = name === "sum"
        ? sums
        : sums.map((each, at) => Math.round(each / (counts[at] || 1)));
      const label = parts.length > 1 ? `${title}: ${lower(c, named)}` : named;
      return [amountFigure(c, label, { sums: values, currency: sum.currency })];
    });
  return [
    ...counts,
    ...amounts("sum"),
    ...amounts("average"),
    ...parts.flatMap((part) => shareFigure(c, part)),
  ];
}

function shareFigure(c: Ctx, { share, growth: { shares, total } }: OverviewPart): Node[] {
  const { number } = formatOf(c.language);
  const [most] = (share?.parts ?? [])
    .map(({ value, label }) => ({ label, count: shares.get(value) ?? 0 }))
    .toSorted((one, other) => other.count - one.count);
  if (most === undefined || total === 0) return [];
  const percent = number(most.count / total, { style: "percent" });
  return [stat(most.label, number(most.count), h.p(percent))];
}

/** Renders an amount of money, with small cents and a change without cents. */
function amountFigure(
  c: Ctx,
  label: string,
  { sums, currency }: { readonly sums: readonly number[]; readonly currency: string },
): Node {
  const [before = 0, now = before] = [sums[0] || sums.at(-2), sums.at(-1)];
  const text = amount(c, now, currency);
  const [, whole = text, cents = ""] = /^(.*\d)([.,]\d{2})(?!\d)(?=\D*$)/.exec(text) ?? [];
  // Omit the cents of millions, for which phones have no room.
  const isLong = whole.replace(/\D/g, "").length > 6;
  const rounded = (value: number): string =>
    amount(c, value, currency).replace(/[.,]\d{2}(?=\D*$)/, "");
  return stat(
    label,
    [whole, cents !== "" && !isLong && h.small(cents), text.slice(whole.length + cents.length)],
    sparkline(sums),
    rounded(Math.abs(now - before)) !== rounded(0) && delta(rounded(Math.abs(now - before)), {
      direction: now > before ? "up" : "down",
      from: rounded(before),
    }),
  );
}

function shareCard(c: Ctx, { title, share, growth: { shares } }: OverviewPart): Node {
  if (share === undefined) return h.fragment();
  const heading = word("by").replace("{rows}", () => title)
    .replace("{field}", () => lower(c, share.label));
  const listed = share.parts.map(({ value, ...part }) => ({
    ...part,
    value: shares.get(value) ?? 0,
  }));
  const none = shares.get("") ?? 0;
  const total = [...shares.values()].reduce((sum, count) => sum + count, 0);
  const other = listed.reduce((left, { value }) => left - value, total - none);
  // The whole is the number of all rows, including those with an unlisted value.
  const rest = [
    { label: word("noValue"), value: none, tone: muted },
    { label: word("otherValue"), value: other, tone: muted },
  ].filter(({ value }) => value > 0);
  return card(
    cardHeader(h.h2(heading)),
    donutChart(
      { title: heading, unit: lower(c, title), parts: [...listed, ...rest] },
      hiddenCaption,
    ),
  );
}

function newestCard(c: Ctx, { title, href, growth, newest }: OverviewPart): Node {
  const heading = word("newest");
  const rows = heading.startsWith("{rows}") ? title : lower(c, title);
  return card(
    cardHeader(
      h.h2(heading.replace("{rows}", () => rows)),
      h.a(h.href(href), word("seeAll"), " ", formatOf(c.language).number(growth.total)),
    ),
    newest,
  );
}

/**
 * Renders the newest rows of a list as a table without sorting.
 *
 * @param title The name of the rows.
 * @param rows The rows.
 * @param columns The columns of their list; four of them are shown: the first, money, dates and badges, then others.
 * @returns A `div` for {@linkcode overviewPage}.
 */
export function newestRows<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Node {
  const kinds = columns.filter(({ kind }) => kind !== undefined);
  const shown = [...new Set([...columns.slice(0, 1), ...kinds, ...columns])].slice(0, maxColumns);
  return rowsTable(title, rows, columns.filter((each) => shown.includes(each)));
}

/** Creates a table of a part of a page, whose title is the caption. */
export function rowsTable<Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Node {
  return dataTable({
    caption: title,
    columns: columns.map(({ key: _, ...column }) => column),
    rows,
    cards: true,
  }, hiddenCaption);
}

/** Lower-cases the words of a label but no abbreviations, except in languages that may capitalize nouns. */
function lower({ language }: Ctx, text: string): string {
  if (!/^(?:en|pt)\b/.test(language)) return text;
  return text.replace(/(?<!\p{L})\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
}
