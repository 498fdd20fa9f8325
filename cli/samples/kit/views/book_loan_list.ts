import type { Ctx, Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { BookLoanInput, bookLoanReferences, type BookLoanRow } from "../lib/book_loan_list.ts";
import { bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts";
import { bookLoanChoices, bookLoanValue } from "../lib/book_loan_messages.ts";

/** Controls by the name of the field. */
type Controls = Readonly<Record<string, ui.ControlOptions>>;

/** The controls of the book loans in the form of their holder. */
export async function bookLoanFields(
  // if request
  c: Ctx,
  // end
  // if reference
  values: unknown,
  // end
): Promise<Controls> {
  return {
    "bookLoans.id": { type: "hidden" },
    // each field
    "bookLoans.story": { type: "textarea" },
    "bookLoans.genre": { choices: bookLoanChoices(c, "genre") },
    "bookLoans.mood": { choices: bookLoanChoices(c, "mood") },
    "bookLoans.begins": { type: "datetime-local" },
    "bookLoans.readerId": {
      type: "combobox",
      source: c.href("/book-loans/choices/{name}", { name: "readerId" }),
      choices: await bookLoanReferences(c, "readerId", ui.rowIds(values, "bookLoans.readerId")),
    },
    // end
  };
}

/** The book loans on the page of their holder. */
export function bookLoanRows(c: Ctx, rows: readonly BookLoanRow[]): Node {
  return ui.childRows(c, {
    title: c.t(bookLoanMessages, "title"),
    schema: BookLoanInput,
    rows,
    label: (name) => c.t(bookLoanLabels, name),
    // if values
    value: (name, value) => bookLoanValue(c, name, value),
    // end
    // if summed
    sums: ["fee"],
    // end
    // if priced
    amount: {
      label: c.t(bookLoanLabels, "price"),
      currency: "EUR",
      value: (row) => row.seats * row.fee,
    },
    // end
  });
}
