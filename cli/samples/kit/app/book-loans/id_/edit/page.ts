import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep, rowTag } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { bookLoanMessages } from "../../../../lib/book_loan_messages.ts";
import { bookLoanFiles, BookLoanInput, BookLoans } from "../../../../lib/book_loans.ts";
import { bookLoanForm } from "../../../../views/book_loan_form.ts";

/** GET /book-loans/{id}/edit */
export async function Page(c: Ctx<"/book-loans/{id}/edit">): Promise<Node> {
  return await bookLoanForm(c, await use(c, BookLoans).get(c.param("id", int())));
}

/** POST /book-loans/{id}/edit; if the row was deleted meanwhile, its form creates a new one. */
export async function POST(c: Ctx<"/book-loans/{id}/edit">): Promise<Result> {
  const store = use(c, BookLoans);
  const id = c.param("id", int());
  const input = await c.tryBind(
    BookLoanInput,
    // if upload:
    { files: bookLoanFiles.changed },
  );
  const [row] = c.query("shown") ? await store.getAll([id]) : [await store.get(id)];
  const isKept = row && input.ok && await keep(
    input.errors,
    store.locked(id, async (row) =>
      ui.isShown(c, rowTag(row)) &&
      await store.change(id, input.value, /* if upload */ input.files /* end */)),
  );
  if (!isKept) return await bookLoanForm(c, row && await store.get(id), input);
  c.flash("success", c.t(bookLoanMessages, "changed"));
  return c.redirect(c.href("/book-loans/{id}", { id }));
}
