import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { bookLoanMessages } from "../../../../lib/book_loan_messages.ts";
import { BookLoanInput, BookLoans, changedBookLoanFiles } from "../../../../lib/book_loans.ts";
import { bookLoanForm } from "../../../../views/book_loan_form.ts";

/** GET /book-loans/{id}/edit */
export async function Page(c: Ctx<"/book-loans/{id}/edit">): Promise<Node> {
  return await bookLoanForm(c, await use(c, BookLoans).get(c.param("id", int())));
}

/** POST /book-loans/{id}/edit */
export async function POST(c: Ctx<"/book-loans/{id}/edit">): Promise<Result> {
  const row = await use(c, BookLoans).get(c.param("id", int()));
  const input = await c.tryBind(
    BookLoanInput,
    // if upload
    { files: changedBookLoanFiles },
    // end
  );
  const isKept = input.ok && await keep(
    input.errors,
    use(c, BookLoans).change(
      row.id,
      input.value,
      // if upload
      input.files,
      // end
    ),
  );
  if (!isKept) {
    c.status(422);
    return await bookLoanForm(c, row, input);
  }
  c.flash("success", c.t(bookLoanMessages, "changed"));
  return c.redirect(c.href("/book-loans/{id}", { id: row.id }));
}
