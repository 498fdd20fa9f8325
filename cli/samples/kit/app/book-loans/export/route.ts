import { type Ctx, use } from "@fw/fw";
import { BookLoanQuery, BookLoans } from "../../../lib/book_loans.ts";

/**
 * Returns the filtered and sorted list as CSV.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await c.bindQuery(BookLoanQuery);
  return await c.download(use(c, BookLoans).exportCsv(query), { name: "book-loans.csv" });
}
