import { type Ctx, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { bookLoanMessages } from "../../../lib/book_loan_messages.ts";
import { bookLoanFiles, BookLoanInput, BookLoans } from "../../../lib/book_loans.ts";
import { bookLoanForm } from "../../../views/book_loan_form.ts";

/** GET /book-loans/new */
export async function Page(c: Ctx): Promise<Node> {
  return await bookLoanForm(c);
}

/** POST /book-loans/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(
    BookLoanInput,
    // if upload:
    { files: bookLoanFiles.added },
  );
  const row = input.ok && await keep(
    input.errors,
    use(c, BookLoans).add(input.value, /* if upload */ input.files /* end */),
  );
  if (!row) return await bookLoanForm(c, undefined, input);
  c.flash("success", c.t(bookLoanMessages, "created"));
  return c.redirect(c.href("/book-loans/{id}", { id: row.id }));
}
