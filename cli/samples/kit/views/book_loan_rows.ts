import { type Ctx, type Node, use } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import { bookLoanLabels, bookLoanMessages } from "../lib/book_loan_messages.ts";
import { type BookLoanQuery, BookLoans } from "../lib/book_loans.ts";
import { sessions } from "../lib/sessions.ts";
import { bookLoanColumns } from "./book_loan_columns.ts";

/** The newest book loans of a row to which they refer, for its page. */
export async function bookLoanRows(
  c: Ctx,
  query: Partial<BookLoanQuery>,
  isDeleted = false,
): Promise<Node | undefined> {
  // if signed:
  const user = c.isExport ? undefined : await sessions.user(c);
  // if guard
  // Others see none of these rows.
  if (!user /* if role */?.roles.includes("clerk") /* end */) return undefined;
  // end
  // The column that names this row.
  const own: readonly unknown[] = [
    // each parent
    query.readerId && c.t(bookLoanLabels, "readerId"),
    // end
  ];
  return ui.relatedRows(c, {
    title: c.t(bookLoanMessages, "title"),
    page: await use(c, BookLoans).list(query, 10),
    columns: bookLoanColumns(c).filter(({ title }) => !own.includes(title)),
    href: c.href("/book-loans", {}, { query }),
    create: [c.href("/book-loans/new", {}, { query }), c.t(bookLoanMessages, "new")],
    isReadOnly: /* if writer */ !user?.roles.includes("librarian") || /* end */ isDeleted,
    empty: c.t(bookLoanMessages, "empty"),
  });
}
