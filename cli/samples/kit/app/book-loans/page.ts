import { type Ctx, int, type Result, struct, text, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages, bookLoanValue } from "../../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../../lib/book_loans.ts";

const Query = struct({
  // if search
  q: text("max=100"),
  // end
  page: int("min=1,max=100000").optional(),
});

/** GET /book-loans */
export async function Page(c: Ctx): Promise<Result> {
  c.title = c.t(bookLoanMessages, "title");
  const query = await c.bindQuery(Query);
  const at = query.page ?? 1;
  const { rows, pages } = use(c, BookLoans).list({
    // if search
    search: query.q,
    // end
    page: at,
  });
  const href = (page: number): string => c.href("/book-loans", {}, { query: { ...query, page } });
  // A link may be older than a deletion that left fewer pages.
  if (at > pages) return c.redirect(href(pages));
  return h.fragment(
    ui.pageHeader(
      c.title,
      ui.buttonLink(c.href("/book-loans/new"), c.t(bookLoanMessages, "new")),
    ),
    // if search
    ui.toolbar(
      h.role("search"),
      ui.field(
        "q",
        c.t(bookLoanMessages, "search"),
        ui.input(h.type("search"), h.name("q"), h.value(query.q), h.maxlength(100)),
      ),
      ui.submit(ui.outline, ui.icon("search"), c.t(bookLoanMessages, "search")),
    ),
    // end
    ui.dataTable(
      {
        caption: c.title,
        columns: [
          {
            title: c.t(bookLoanMessages, "row"),
            cell: (row) =>
              h.a(h.href(c.href("/book-loans/{id}", { id: row.id })), bookLoanTitle(row)),
          },
          // each column
          { title: c.t(bookLoanLabels, "remark"), cell: (row) => row.remark },
          { title: c.t(bookLoanLabels, "contact"), cell: (row) => row.contact },
          { title: c.t(bookLoanLabels, "backup"), cell: (row) => row.backup },
          { title: c.t(bookLoanLabels, "website"), cell: (row) => row.website },
          { title: c.t(bookLoanLabels, "mirror"), cell: (row) => row.mirror },
          {
            title: c.t(bookLoanLabels, "genre"),
            cell: (row) => bookLoanValue(c, "genre", row.genre),
          },
          {
            title: c.t(bookLoanLabels, "mood"),
            cell: (row) => bookLoanValue(c, "mood", row.mood),
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
            title: c.t(bookLoanLabels, "lent"),
            cell: (row) => c.t(bookLoanMessages, row.lent ? "yes" : "no"),
          },
          {
            title: c.t(bookLoanLabels, "opens"),
            cell: (row) => formatOf(c.language).date(row.opens),
          },
          {
            title: c.t(bookLoanLabels, "closes"),
            cell: (row) => row.closes && formatOf(c.language).date(row.closes),
          },
          {
            title: c.t(bookLoanLabels, "begins"),
            cell: (row) =>
              formatOf(c.language).date(row.begins, { dateStyle: "long", timeStyle: "short" }),
          },
          {
            title: c.t(bookLoanLabels, "ends"),
            cell: (row) =>
              row.ends &&
              formatOf(c.language).date(row.ends, { dateStyle: "long", timeStyle: "short" }),
          },
          // end
        ],
        rows,
        empty: c.t(bookLoanMessages, "none"),
      },
      ui.hiddenCaption,
    ),
    ui.pagination({ page: at, pages, href }),
  );
}
