import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import {
  bookLoanBadge,
  bookLoanLabels,
  bookLoanMessages,
  bookLoanValue,
} from "../../lib/book_loan_messages.ts";
import { BookLoanQuery, BookLoans, bookLoanTitle } from "../../lib/book_loans.ts";

/** GET /book-loans */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(bookLoanMessages, "title");
  const query = await c.bindQuery(BookLoanQuery);
  const { rows, total, previous, next } = await use(c, BookLoans).list(query);
  const href = (change: Readonly<Record<string, string | undefined>>): string =>
    c.href("/book-loans", {}, { query: { ...query, at: undefined, ...change } });
  // if filters
  const filters = [
    // each filter
    { name: "readerId", choices: await use(c, BookLoans).readerChoices(query.readerId) },
    {
      name: "genre",
      choices: ["novel", "essay"].map((value) => ({
        value,
        label: bookLoanValue(c, "genre", value),
      })),
    },
    {
      name: "mood",
      choices: ["novel", "essay"].map((value) => ({
        value,
        label: bookLoanValue(c, "mood", value),
      })),
    },
    {
      name: "lent",
      choices: [
        { value: "yes", label: c.t(bookLoanMessages, "yes") },
        { value: "no", label: c.t(bookLoanMessages, "no") },
      ],
    },
    // end
  ] as const;
  // end
  const note = total > 1_000
    ? c.t(bookLoanMessages, "many", { most: 1_000 })
    : c.t(bookLoanMessages, "count", { count: total });
  return h.fragment(
    ui.pageHeader(
      c.title,
      // if csv
      ui.buttonLink(
        c.href("/book-loans/export", {}, { query: { ...query, at: undefined } }),
        ui.outline,
        h.download("book-loans.csv"),
        c.t(bookLoanMessages, "export"),
      ),
      // end
      // if import
      ui.buttonLink(
        c.href("/book-loans/import"),
        ui.outline,
        c.t(bookLoanMessages, "import"),
      ),
      // end
      ui.buttonLink(c.href("/book-loans/new"), ui.icon("plus"), c.t(bookLoanMessages, "new")),
    ),
    // if narrowed
    ui.toolbar(
      h.role("search"),
      // if search
      ui.search(
        c.t(bookLoanMessages, "search"),
        h.name("q"),
        h.value(query.q ?? ""),
        h.maxlength(100),
      ),
      // end
      // if filters
      ui.chips(
        h.map(filters, ({ name, choices }) => {
          const chosen = choices.find(({ value }) => String(value) === String(query[name] ?? ""));
          const label = c.t(bookLoanLabels, name);
          return chosen && ui.filterChip(label, chosen.label, href({ [name]: undefined }));
        }),
        ui.addFilter(ui.stack(
          h.map(filters, ({ name, choices }) => {
            const label = c.t(bookLoanLabels, name);
            const options = [{ value: "", label: "–" }, ...choices];
            const chosen = ui.selectOptions(options, query[name] ?? "");
            return ui.field(name, label, ui.select(h.name(name), chosen));
          }),
          ui.submit(ui.outline, c.t(bookLoanMessages, "narrow")),
        )),
      ),
      // end
      h.input(h.type("hidden"), h.name("sort"), h.value(query.sort ?? "")),
    ),
    // end
    ui.dataTable(
      {
        caption: c.title,
        columns: [
          {
            title: c.t(bookLoanMessages, "row"),
            // each sortedTitle
            key: "headline",
            // end
            cell: (row) =>
              ui.item(bookLoanTitle(row), {
                href: c.href("/book-loans/{id}", { id: row.id }),
                // each thumb
                image: ui.thumb(
                  row.coverHash
                    ? c.href("/book-loans/{id}/cover", { id: row.id }, {
                      query: { v: row.coverHash },
                    })
                    : undefined,
                ),
                // end
              }),
          },
          // each column
          { title: c.t(bookLoanLabels, "remark"), cell: (row) => row.remark },
          { title: c.t(bookLoanLabels, "contact"), cell: (row) => row.contact },
          { title: c.t(bookLoanLabels, "backup"), cell: (row) => row.backup },
          { title: c.t(bookLoanLabels, "website"), cell: (row) => row.website },
          { title: c.t(bookLoanLabels, "mirror"), cell: (row) => row.mirror },
          {
            title: c.t(bookLoanLabels, "genre"),
            kind: "badge",
            cell: (row) => bookLoanBadge(c, "genre", row.genre),
          },
          {
            title: c.t(bookLoanLabels, "mood"),
            kind: "badge",
            cell: (row) => row.mood && bookLoanBadge(c, "mood", row.mood),
          },
          { title: c.t(bookLoanLabels, "seats"), numeric: true, cell: (row) => row.seats },
          { title: c.t(bookLoanLabels, "spare"), numeric: true, cell: (row) => row.spare },
          { title: c.t(bookLoanLabels, "views"), numeric: true, cell: (row) => String(row.views) },
          {
            title: c.t(bookLoanLabels, "peak"),
            numeric: true,
            cell: (row) => row.peak?.toString(),
          },
          { title: c.t(bookLoanLabels, "price"), numeric: true, cell: (row) => row.price },
          { title: c.t(bookLoanLabels, "ratio"), numeric: true, cell: (row) => row.ratio },
          {
            title: c.t(bookLoanLabels, "fee"),
            kind: "money",
            cell: (row) =>
              formatOf(c.language).number(row.fee / 100, { style: "currency", currency: "EUR" }),
          },
          {
            title: c.t(bookLoanLabels, "fine"),
            kind: "money",
            cell: (row) =>
              row.fine !== null &&
              formatOf(c.language).number(row.fine / 100, { style: "currency", currency: "EUR" }),
          },
          {
            title: c.t(bookLoanLabels, "lent"),
            cell: (row) => c.t(bookLoanMessages, row.lent ? "yes" : "no"),
          },
          {
            title: c.t(bookLoanLabels, "opens"),
            kind: "date",
            // each sortKey
            key: "opens",
            // end
            cell: (row) => formatOf(c.language).date(new Date(row.opens), { dateStyle: "medium" }),
          },
          {
            title: c.t(bookLoanLabels, "closes"),
            kind: "date",
            cell: (row) =>
              row.closes &&
              formatOf(c.language).date(new Date(row.closes), { dateStyle: "medium" }),
          },
          {
            title: c.t(bookLoanLabels, "begins"),
            kind: "date",
            // each sortKey
            key: "begins",
            // end
            cell: (row) => ui.time(c, row.begins, { clock: true }),
          },
          {
            title: c.t(bookLoanLabels, "ends"),
            kind: "date",
            cell: (row) => row.ends && ui.time(c, row.ends, { clock: true }),
          },
          { title: c.t(bookLoanLabels, "readerId"), cell: (row) => row.readerName },
          // end
        ],
        rows,
        sort: {
          key: (query.sort ?? "").replace("-", ""),
          direction: query.sort?.startsWith("-") ? "desc" : "asc",
        },
        href: ({ key, direction }) => href({ sort: direction === "desc" ? `-${key}` : key }),
        cards: true,
        menu: {
          label: bookLoanTitle,
          items: (row) =>
            h.fragment(
              ui.menuLink(
                c.href("/book-loans/{id}/edit", { id: row.id }),
                ui.icon("edit"),
                c.t(bookLoanMessages, "edit"),
              ),
              ui.menuLink(
                c.href("/book-loans/{id}/delete", { id: row.id }),
                ui.destructive,
                ui.icon("trash"),
                c.t(bookLoanMessages, "delete"),
              ),
            ),
        },
        empty: Object.values(query).some((value) => value)
          ? ui.emptyState(
            c.t(bookLoanMessages, "none"),
            ui.icon("search"),
            ui.buttonLink(c.href("/book-loans"), ui.outline, c.t(bookLoanMessages, "all")),
          )
          : ui.emptyState(
            c.t(bookLoanMessages, "empty"),
            ui.icon("box"),
            h.p(c.t(bookLoanMessages, "begin")),
          ),
      },
      ui.hiddenCaption,
    ),
    ui.pager({
      first: previous && href({}),
      previous: previous && href({ at: previous }),
      next: next && href({ at: next }),
      last: next && href({ at: "last" }),
      note,
    }),
  );
}
