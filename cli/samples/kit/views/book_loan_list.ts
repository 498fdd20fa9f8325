import { type Ctx, type Node, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { BookLoanInput, type BookLoanRow } from "../lib/book_loan_list.ts";
import { bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts";
import { bookLoanValues } from "../lib/book_loan_messages.ts";
import { BookLoans } from "../lib/book_loans.ts";

/** Controls by the name of the field. */
type Controls = Readonly<Record<string, ui.ControlOptions>>;

/** The labels and looks of the fields, for the form and the page of a holder. */
function bookLoanTexts(c: Ctx): ui.FieldTexts<BookLoanInput> {
  return {
    schema: BookLoanInput,
    label: (name) => c.t(bookLoanLabels, name),
    // if values:
    value: (key) => c.t(bookLoanValues, key),
  };
}

/** The controls of the book loans in the form of their holder. */
export async function bookLoanFields(
  // if request:
  c: Ctx,
  // if reference
  values: unknown,
  stored: unknown,
  // end
): Promise<Controls> {
  return {
    bookLoans: { movable: true },
    "bookLoans.id": { type: "hidden" },
    // each field
    "bookLoans.genre": ui.fieldFilter(bookLoanTexts(c), "genre"),
    "bookLoans.begins": { type: "datetime-local" },
    "bookLoans.readerId": {
      type: "combobox",
      source: c.href("/book-loans/choices/{name}", { name: "bookLoans.readerId" }),
      choices: await use(c, BookLoans).choices("bookLoans.readerId", {
        asked: ui.rowIds(values, "bookLoans.readerId"),
        stored: ui.rowIds(stored, "bookLoans.readerId"),
      }),
    },
    // end
  };
}

/** The book loans on the page of their holder. */
export function bookLoanRows(c: Ctx, rows: readonly BookLoanRow[]): Node {
  return ui.childRows(c, {
    ...bookLoanTexts(c),
    title: c.t(bookLoanMessages, "title"),
    rows,
    // if summed:
    sums: ["fee"],
    // if priced
    amount: {
      label: c.t(bookLoanLabels, "price"),
      currency: "EUR",
      value: (row) => row.seats * row.fee,
    },
    // end
  });
}
