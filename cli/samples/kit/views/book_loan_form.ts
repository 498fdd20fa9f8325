import type { Bound, Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages, bookLoanValue } from "../lib/book_loan_messages.ts";
import {
  bookLoanFiles,
  BookLoanInput,
  type BookLoanRow,
  changedBookLoanFiles,
} from "../lib/book_loans.ts";

/** The form of a book loan, with what was sent or what the database has. */
export function bookLoanForm(
  c: Ctx,
  values?: Bound<BookLoanInput> | BookLoanRow,
  // if uploads
  stored?: BookLoanRow,
  // end
): Node {
  // if uploads
  const files = stored === undefined ? bookLoanFiles : changedBookLoanFiles;
  // end
  return ui.form(c, BookLoanInput, {
    values,
    // if uploads
    files,
    // end
    labels: (name) => c.t(bookLoanLabels, name),
    // if uploads
    help: {
      // each field
      cover: stored?.cover && h.fragment(
        c.t(bookLoanMessages, "currentFile"),
        " ",
        h.a(
          h.href(
            c.href("/book-loans/{id}/cover", { id: stored.id }, {
              query: { v: stored.cover.hash },
            }),
          ),
          stored.cover.name,
        ),
        ". ",
        c.t(bookLoanMessages, "keepsFile"),
      ),
      scan: stored?.scan && h.fragment(
        c.t(bookLoanMessages, "currentFile"),
        " ",
        h.a(
          h.href(
            c.href("/book-loans/{id}/scan", { id: stored.id }, {
              query: { v: stored.scan.hash },
            }),
          ),
          stored.scan.name,
        ),
        ". ",
        c.t(bookLoanMessages, "keepsFile"),
      ),
      // end
    },
    // end
    fields: {
      // each field
      story: { type: "textarea" },
      memo: { type: "textarea" },
      genre: {
        choices: ["novel", "essay"].map((value) => ({
          value,
          label: bookLoanValue(c, "genre", value),
        })),
      },
      mood: {
        choices: ["novel", "essay"].map((value) => ({
          value,
          label: bookLoanValue(c, "mood", value),
        })),
      },
      begins: { type: "datetime-local" },
      ends: { type: "datetime-local" },
      // end
    },
    submit: c.t(bookLoanMessages, "save"),
  });
}
