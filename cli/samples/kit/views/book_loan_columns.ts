import type { Ctx } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { bookLoanBadge, bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts";
import { type BookLoanRow, bookLoanTitle } from "../lib/book_loans.ts";

/** The columns of the list of book loans. */
export function bookLoanColumns(c: Ctx): readonly ui.Column<BookLoanRow>[] {
  return [
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
              ? c.href("/book-loans/{id}/cover", { id: row.id }, { query: { v: row.coverHash } })
              : undefined,
          ),
          // end
          // each secondLine
          detail: row.story?.slice(0, 100),
          // end
        }),
    },
    // each column
    { title: c.t(bookLoanLabels, "remark"), cell: (row) => row.remark },
    { title: c.t(bookLoanLabels, "contact"), cell: (row) => row.contact },
    { title: c.t(bookLoanLabels, "website"), cell: (row) => row.website },
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
    { title: c.t(bookLoanLabels, "views"), numeric: true, cell: (row) => String(row.views) },
    { title: c.t(bookLoanLabels, "price"), numeric: true, cell: (row) => row.price },
    {
      title: c.t(bookLoanLabels, "fee"),
      kind: "money",
      // each sortKey
      key: "fee",
      // end
      cell: (row) => ui.amount(c, row.fee, "EUR"),
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
      title: c.t(bookLoanLabels, "readerId"),
      cell: (row) =>
        row.readerId &&
        h.a(h.href(c.href("/book-loans/{id}", { id: row.readerId })), row.readerName),
    },
    // end
  ];
}
