import { type Ctx, type Result, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { bookLoanFields, bookLoanMessages } from "../../../lib/book_loan_messages.ts";
import { BookLoans } from "../../../lib/book_loans.ts";

/** GET and POST /book-loans/import */
export async function Page(c: Ctx): Promise<Result> {
  return await ui.importPage(c, {
    ...bookLoanFields(c),
    title: c.t(bookLoanMessages, "import"),
    list: c.href("/book-loans"),
    add: (file, isPreview) => use(c, BookLoans).addFile(file, isPreview),
    // Leaves room for the rest of the form.
    maxSizeBytes: 15 * 1_024 * 1_024,
  });
}

export const POST = Page;
