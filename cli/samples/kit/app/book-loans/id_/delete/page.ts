import { type Ctx, FieldErrors, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { bookLoanMessages } from "../../../../lib/book_loan_messages.ts";
import { BookLoans, bookLoanTitle } from "../../../../lib/book_loans.ts";

/** GET /book-loans/{id}/delete */
export async function Page(c: Ctx<"/book-loans/{id}/delete">): Promise<Node> {
  const row = await use(c, BookLoans).get(c.param("id", int()));
  return ui.deletePage(c, {
    name: bookLoanTitle(row),
    // if audit:
    text: c.t(bookLoanMessages, "deleteText"),
    submit: c.t(bookLoanMessages, "delete"),
    cancel: c.href("/book-loans/{id}", { id: row.id }),
  });
}

/** POST /book-loans/{id}/delete */
export async function POST(c: Ctx<"/book-loans/{id}/delete">): Promise<Result> {
  const id = c.param("id", int());
  // Another row may refer to it.
  if (!await keep(new FieldErrors(), use(c, BookLoans).remove(id))) {
    c.flash("error", c.t(bookLoanMessages, "inUse"));
    return c.redirect(c.href("/book-loans/{id}", { id }));
  }
  c.flash(
    "success",
    c.t(bookLoanMessages, "deleted"),
    // if audit:
    ui.restoring(c.href("/book-loans"), [id]),
  );
  return c.redirect(c.href("/book-loans"));
}
