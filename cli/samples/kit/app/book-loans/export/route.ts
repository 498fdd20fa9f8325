import { type Ctx, use } from "@fw/fw";
import { exportCsv, inBatches } from "@fw/fw/data";
import { BookLoanInput, BookLoanQuery, BookLoans } from "../../../lib/book_loans.ts";

/**
 * Returns the filtered and sorted list as CSV.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await c.bindQuery(BookLoanQuery);
  const rows = inBatches((at) => use(c, BookLoans).list({ ...query, at: at ?? null }, 1_000));
  return await c.download(exportCsv(BookLoanInput, rows), { name: "book-loans.csv" });
}
