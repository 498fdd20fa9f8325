import { type Ctx, int, type Node, struct, use } from "@fw/fw";
import { name } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import { catalog, formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { bookLoanMessages } from "../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../lib/book_loans.ts";
import { Database } from "../lib/database.ts";
import { sessions } from "../lib/sessions.ts";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Overview",
    added: "Added each week",
    newest: "Newest",
    all: "See all",
    nothing: "Nothing to see yet",
    // if guard
    signIn: "Sign in",
    // end
  },
  pt: {
    title: "Resumo",
    added: "Novos por semana",
    newest: "Mais recentes",
    all: "Ver todos",
    nothing: "Ainda não há nada para ver",
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
  readonly newest: readonly { readonly title: string; readonly href: string }[];
}

const weeks = 12;
const weekSeconds = 7 * 24 * 60 * 60;

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(messages, "title");
  const found = await Promise.all(sources.map((source) => source(c)));
  const shown = await Promise.all(
    found.filter((source) => source !== undefined)
      .map(async (source) => ({ ...source, ...await countRows(c, source.table) })),
  );
  const format = formatOf(c.language);
  const mondays = Array.from({ length: weeks }, (_, at) => {
    const instant = new Date(Date.now() - (weeks - 1 - at) * weekSeconds * 1_000);
    return format.date(instant, { day: "numeric", month: "short" });
  });
  const header = ui.pageHeader(
    c.title,
    h.p(format.date(new Date(), { dateStyle: "full" })),
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
  return h.fragment(
    header,
    ui.grid(
      ui.small,
      h.map(shown, ({ title, href, total, sums, added }) =>
        ui.card(
          ui.stat(
            h.a(h.href(href), title),
            format.number(total),
            ui.sparkline(sums),
            (added.at(-1) ?? 0) > 0 && ui.delta(format.number(added.at(-1) ?? 0), {
              direction: "up",
              from: format.number(sums.at(-2) ?? 0),
            }),
          ),
        )),
    ),
    ui.card(
      ui.cardHeader(h.h2(c.t(messages, "added"))),
      ui.lineChart({
        title: c.t(messages, "added"),
        labels: mondays,
        // A chart has five series at most.
        series: shown.slice(0, 5).map(({ title, added }) => ({ name: title, values: added })),
        area: shown.length === 1,
      }, ui.hiddenCaption),
    ),
    h.map(shown, ({ title, href, newest }) =>
      ui.card(
        ui.cardHeader(
          h.h2(`${title}: ${c.t(messages, "newest")}`),
          h.a(h.href(href), c.t(messages, "all")),
        ),
        newest.length === 0
          ? h.p(ui.muted, c.t(messages, "nothing"))
          : ui.itemList(newest.map((row) => ui.listItem(h.a(h.href(row.href), row.title), {}))),
      )),
  );
}

/** Counts the rows of a table: all, those added in each of the last weeks, and all at the end of each. */
async function countRows(c: Ctx, table: string): Promise<{
  readonly total: number;
  readonly added: readonly number[];
  readonly sums: readonly number[];
}> {
  const db = use(c, Database);
  const total = await db.one(int())`
    -- scan: the page says how many there are
    select count(*) from ${name(table)}`;
  const ages = await db.all(struct({ age: int(), count: int() }))`
    select (unixepoch() - "added_at") / ${weekSeconds} as "age", count(*) as "count"
    from ${name(table)} where "added_at" > unixepoch() - ${weeks * weekSeconds} group by 1`;
  const added = Array.from(
    { length: weeks },
    (_, at) => ages.find(({ age }) => age === weeks - 1 - at)?.count ?? 0,
  );
  const sums = added.map((_, at) =>
    total - added.slice(at + 1).reduce((sum, count) => sum + count, 0)
  );
  return { total, added, sums };
}

async function bookLoanSource(c: Ctx): Promise<Source | undefined> {
  // if guard
  // Others see nothing of them.
  if (c.isExport || await sessions.user(c) === undefined) return undefined;
  // end
  const { rows } = await use(c, BookLoans).list({}, 5);
  return {
    title: c.t(bookLoanMessages, "title"),
    href: c.href("/book-loans"),
    table: "book_loans",
    newest: rows.map((row) => ({
      title: bookLoanTitle(row),
      href: c.href("/book-loans/{id}", { id: row.id }),
    })),
  };
}

/** What the page counts; `generate resource` adds to it. */
const sources: readonly ((c: Ctx) => Promise<Source | undefined>)[] = [
  bookLoanSource,
];
