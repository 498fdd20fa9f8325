import { type Ctx, int, type Node, struct, text, use } from "@fw/fw";
import { name, type Sql, sql, where } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import { catalog, formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import {
  bookLoanLabels,
  bookLoanLooks,
  bookLoanMessages,
  bookLoanValue,
} from "../lib/book_loan_messages.ts";
import { BookLoans } from "../lib/book_loans.ts";
import { Database } from "../lib/database.ts";
import { sessions } from "../lib/sessions.ts";
import { bookLoanColumns } from "../views/book_loan_columns.ts";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Overview",
    added: "Added each week",
    newest: "Newest {rows}",
    by: "{rows} by {field}",
    all: "See all",
    // if guard
    nothing: "Nothing to see yet",
    // end
    // if guard
    signIn: "Sign in",
    // end
  },
  pt: {
    title: "Resumo",
    added: "Novos por semana",
    newest: "{rows}: mais recentes",
    by: "{rows} por {field}",
    all: "Ver todos",
    // if guard
    nothing: "Ainda não há nada para ver",
    // end
    // if guard
    signIn: "Entrar",
    // end
  },
});

/** Rows that the page counts. */
interface Source {
  readonly title: string;
  readonly href: string;
  readonly table: string;
  /** Which rows of it count. @default all */
  readonly only?: Sql;
  readonly create: readonly [href: string, text: string];
  readonly newest: Node;
  /** A column with a few values, whose shares are drawn. */
  readonly share?: { readonly column: string; readonly label: string; readonly parts: Part[] };
  /** A column that is added up. */
  readonly sum?: { readonly column: string; readonly label: string; readonly write: Write };
}

type Part = { readonly value: string; readonly label: string; readonly tone: h.Child };
type Write = (sum: number) => string;

const weeks = 13;
const weekSeconds = 7 * 24 * 60 * 60;

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(messages, "title");
  const found = await Promise.all(sources.map((source) => source(c)));
  const shown = await Promise.all(
    found.filter((source) => source !== undefined)
      .map(async (source) => ({ ...source, ...await countRows(c, source) })),
  );
  const format = formatOf(c.language);
  const mondays = Array.from({ length: weeks }, (_, at) => {
    const instant = new Date(Date.now() - (weeks - 1 - at) * weekSeconds * 1_000);
    return format.date(instant, { day: "numeric", month: "short" });
  });
  const last = shown.at(-1);
  const header = ui.pageHeader(
    c.title,
    h.p(format.date(new Date(), { dateStyle: "full" })),
    last && ui.buttonLink(last.create[0], ui.icon("plus"), last.create[1]),
  );
  // if guard
  if (shown.length === 0) {
    return h.fragment(
      header,
      ui.emptyState(
        c.t(messages, "nothing"),
        ui.icon("user"),
        ui.buttonLink(c.href("/login"), c.t(messages, "signIn")),
      ),
    );
  }
  // end
  const added = ui.card(
    ui.cardHeader(h.h2(c.t(messages, "added"))),
    ui.lineChart({
      title: c.t(messages, "added"),
      labels: mondays,
      // A chart has five series at most.
      series: shown.slice(0, 5).map(({ title, added }) => ({ name: title, values: added })),
      area: shown.length === 1,
    }, ui.hiddenCaption),
  );
  const shared = shown.find(({ share }) => share !== undefined);
  return h.fragment(
    header,
    ui.grid(ui.small, h.map(shown, figures)),
    shared?.share === undefined ? added : ui.split(added, shareCard(c, shared, shared.share)),
    h.map(shown.slice(0, 3), ({ title, href, newest }) =>
      ui.card(
        ui.cardHeader(
          h.h2(c.t(messages, "newest", { rows: title.toLocaleLowerCase(c.language) })),
          h.a(h.href(href), c.t(messages, "all")),
        ),
        newest,
      )),
  );

  function figures({ title, href, total, sums, added, sum, summed }: typeof shown[number]): Node {
    const week = added.at(-1) ?? 0;
    const grown = (summed.at(-1) ?? 0) - (summed.at(-2) ?? 0);
    return h.fragment(
      ui.card(
        ui.stat(
          h.a(h.href(href), title),
          format.number(total),
          ui.sparkline(sums),
          week > 0 &&
            ui.delta(format.number(week), { direction: "up", from: format.number(total - week) }),
        ),
      ),
      sum && ui.card(
        ui.stat(
          `${title}: ${sum.label}`,
          sum.write(summed.at(-1) ?? 0),
          ui.sparkline(summed),
          grown > 0 &&
            ui.delta(sum.write(grown), { direction: "up", from: sum.write(summed.at(-2) ?? 0) }),
        ),
      ),
    );
  }
}

/** Draws how many rows have each value. */
function shareCard(
  c: Ctx,
  { title, shares }: { readonly title: string; readonly shares: ReadonlyMap<string, number> },
  { label, parts }: NonNullable<Source["share"]>,
): Node {
  const heading = c.t(messages, "by", { rows: title, field: label.toLocaleLowerCase(c.language) });
  return ui.card(
    ui.cardHeader(h.h2(heading)),
    ui.donutChart({
      title: heading,
      unit: title.toLocaleLowerCase(c.language),
      parts: parts.map(({ value, ...part }) => ({ ...part, value: shares.get(value) ?? 0 })),
    }, ui.hiddenCaption),
  );
}

/** Counts the rows of a table: all, in each of the last weeks, and by value; and adds a column up. */
async function countRows(c: Ctx, { table, only, share, sum }: Source): Promise<{
  readonly total: number;
  readonly added: readonly number[];
  readonly sums: readonly number[];
  readonly summed: readonly number[];
  readonly shares: ReadonlyMap<string, number>;
}> {
  const db = use(c, Database);
  const summand = sum === undefined ? sql`0` : name(sum.column);
  const all = await db.one(Week)`
    -- scan: the page says how many there are
    select 0 as "age", count(*) as "count", cast(coalesce(sum(${summand}), 0) as bigint) as "sum"
    from ${name(table)} ${where(only)}`;
  const now = Math.floor(Date.now() / 1_000);
  const recent = await db.all(Week)`
    select (${now} - "added_at") / ${weekSeconds} as "age", count(*) as "count",
      cast(coalesce(sum(${summand}), 0) as bigint) as "sum"
    from ${name(table)} ${where(sql`"added_at" > ${now - weeks * weekSeconds}`, only)} group by 1`;
  const shares = share === undefined ? [] : await db.all(Share)`
    -- scan: the page says how many there are
    select ${name(share.column)} as "value", count(*) as "count"
    from ${name(table)} ${where(only)} group by 1`;
  const byWeek = Array.from(
    { length: weeks },
    (_, at) => recent.find(({ age }) => age === weeks - 1 - at) ?? { count: 0, sum: 0 },
  );
  const untilWeek = (key: "count" | "sum"): readonly number[] =>
    byWeek.map((_, at) =>
      all[key] - byWeek.slice(at + 1).reduce((later, week) => later + week[key], 0)
    );
  return {
    total: all.count,
    added: byWeek.map(({ count }) => count),
    sums: untilWeek("count"),
    summed: untilWeek("sum"),
    shares: new Map(shares.map(({ value, count }) => [value ?? "", count])),
  };
}

const Week = struct({ age: int(), count: int(), sum: int() });
const Share = struct({ value: text().optional(), count: int() });

async function bookLoanSource(c: Ctx): Promise<Source | undefined> {
  // if guard
  // Others see nothing of them.
  if (c.isExport || await sessions.user(c) === undefined) return undefined;
  // end
  const { rows } = await use(c, BookLoans).list({}, 5);
  const title = c.t(bookLoanMessages, "title");
  return {
    title,
    href: c.href("/book-loans"),
    table: "book_loans",
    // if audit
    only: sql`"deleted_at" is null`,
    // end
    create: [c.href("/book-loans/new"), c.t(bookLoanMessages, "new")],
    newest: ui.dataTable({
      caption: title,
      columns: bookLoanColumns(c).map(({ key: _, ...column }) => column),
      rows,
      cards: true,
    }, ui.hiddenCaption),
    // each view
    share: {
      column: "genre",
      label: c.t(bookLoanLabels, "genre"),
      parts: ["novel", "essay"].map((value) => ({
        value,
        label: bookLoanValue(c, "genre", value),
        tone: bookLoanLooks[`genre.${value}`],
      })),
    },
    // end
    // each sum
    sum: {
      column: "fee",
      label: c.t(bookLoanLabels, "fee"),
      write: (sum) =>
        formatOf(c.language).number(sum / 100, { style: "currency", currency: "EUR" }),
    },
    // end
  };
}

/** What the page counts; `generate resource` adds to it. */
const sources: readonly ((c: Ctx) => Promise<Source | undefined>)[] = [
  bookLoanSource,
];
