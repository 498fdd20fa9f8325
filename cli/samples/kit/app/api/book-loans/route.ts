import { type Ctx, int, type JsonResponse, KindAPI, struct, text, use } from "@fw/fw";
import { BookLoanInput, type BookLoanRow, BookLoans } from "../../../lib/book_loans.ts";

// Errors are JSON, and a request that another site sends with a cookie cannot write.
export const Kind = KindAPI;

const Query = struct({
  // if search
  q: text("max=100"),
  // end
  page: int("min=1,max=100000").optional(),
});

/** A page of the book loans, the newest first. */
export interface BookLoanList {
  readonly rows: readonly BookLoanRow[];
  /** @type {integer} */
  readonly page: number;
  /**
   * The number of the last page.
   *
   * @type {integer}
   */
  readonly pages: number;
}

/** Lists the book loans, the newest first. */
export async function GET(c: Ctx): Promise<JsonResponse<200, BookLoanList>> {
  const query = await c.bindQuery(Query);
  const page = query.page ?? 1;
  const list = use(c, BookLoans).list({
    // if search
    search: query.q,
    // end
    page,
  });
  return c.json(200, { ...list, page });
}
// if addable

/** Adds a book loan. */
export async function POST(c: Ctx): Promise<JsonResponse<201, BookLoanRow>> {
  const row = use(c, BookLoans).add(await c.bindJson(BookLoanInput));
  c.header("location", c.href("/api/book-loans/{id}", { id: row.id }));
  return c.json(201, row);
}
// end
