import type { Ctx } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { bookLoanFields, bookLoanMessages } from "../lib/book_loan_messages.ts";
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
    // if column
    ...ui.fieldColumns(c, {
      ...bookLoanFields(c),
      names: [
        // each column
        "remark",
        "contact",
        "website",
        "genre",
        "mood",
        "seats",
        "views",
        "price",
        "fee",
        "lent",
        "opens",
        "closes",
        "begins",
        "readerId",
        // end
      ],
      sorts: [
        // each sortedColumn
        "fee",
        // end
      ],
    }),
    // end
  ];
}
