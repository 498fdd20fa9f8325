import { type Ctx, type Node, type Result, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { bookLoanMessages } from "../../../lib/book_loan_messages.ts";
import {
  bookLoanFiles,
  BookLoanInput,
  BookLoans,
  readBookLoanUpload,
} from "../../../lib/book_loans.ts";
import { bookLoanForm } from "../../../views/book_loan_form.ts";

/** GET /book-loans/new */
export function Page(c: Ctx): Node {
  return view(c, bookLoanForm(c));
}

/** POST /book-loans/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(
    BookLoanInput,
    // if uploads
    { files: bookLoanFiles },
    // end
  );
  if (!input.ok) {
    c.status(422);
    return view(c, bookLoanForm(c, input));
  }
  const { id } = use(c, BookLoans).add(
    input.value,
    // if uploads
    {
      // each field
      cover: await readBookLoanUpload(input.files.cover),
      scan: await readBookLoanUpload(input.files.scan),
      // end
    },
    // end
  );
  c.flash("success", c.t(bookLoanMessages, "created"));
  return c.redirect(c.href("/book-loans/{id}", { id }));
}

function view(c: Ctx, form: Node): Node {
  c.title = c.t(bookLoanMessages, "new");
  return h.fragment(ui.pageHeader(c.title), form);
}
