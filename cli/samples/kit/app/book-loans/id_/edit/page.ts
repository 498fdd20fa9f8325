import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanMessages } from "../../../../lib/book_loan_messages.ts";
import { BookLoanInput, BookLoans, changedBookLoanFiles } from "../../../../lib/book_loans.ts";
import { bookLoanForm } from "../../../../views/book_loan_form.ts";

/** GET /book-loans/{id}/edit */
export async function Page(c: Ctx<"/book-loans/{id}/edit">): Promise<Node> {
  const row = await use(c, BookLoans).get(c.param("id", int()));
  return view(
    c,
    await bookLoanForm(
      c,
      row,
      // if uploads
      row,
      // end
    ),
  );
}

/** POST /book-loans/{id}/edit */
export async function POST(c: Ctx<"/book-loans/{id}/edit">): Promise<Result> {
  const id = c.param("id", int());
  const input = await c.tryBind(
    BookLoanInput,
    // if uploads
    { files: changedBookLoanFiles },
    // end
  );
  const isKept = input.ok && await keep(
    input.errors,
    use(c, BookLoans).change(
      id,
      input.value,
      // if uploads
      input.files,
      // end
    ),
  );
  if (!isKept) {
    c.status(422);
    return view(
      c,
      await bookLoanForm(
        c,
        input,
        // if uploads
        await use(c, BookLoans).get(id),
        // end
      ),
    );
  }
  c.flash("success", c.t(bookLoanMessages, "changed"));
  return c.redirect(c.href("/book-loans/{id}", { id }));
}

function view(c: Ctx, form: Node): Node {
  c.title = c.t(bookLoanMessages, "editTitle");
  return h.fragment(ui.pageHeader(c.title, h.p(c.t(bookLoanMessages, "needed"))), form);
}
