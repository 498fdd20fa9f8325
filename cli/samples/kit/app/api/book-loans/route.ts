import { type Ctx, type JsonResponse, KindAPI, use } from "@fw/fw";
import {
  BookLoanInput,
  BookLoanQuery,
  type BookLoanRow,
  BookLoans,
} from "../../../lib/book_loans.ts";

// Errors are JSON, and cross-site requests with a cookie cannot write.
export const Kind = KindAPI;

/** A page of the book loans. */
export interface BookLoanList {
  readonly rows: readonly BookLoanRow[];
  /**
   * The number of rows, at most 1,001.
   *
   * @type {integer}
   */
  readonly total: number;
  /** The value of `at` for the next page. */
  readonly next?: string | undefined;
  /** The value of `at` for the previous page. */
  readonly previous?: string | undefined;
}

/** Lists the book loans, newest first. */
export async function GET(c: Ctx): Promise<JsonResponse<200, BookLoanList>> {
  return c.json(200, await use(c, BookLoans).list(await c.bindQuery(BookLoanQuery)));
}
// if addable

/** Adds a book loan. */
export async function POST(c: Ctx): Promise<JsonResponse<201, BookLoanRow>> {
  const row = await use(c, BookLoans).add(await c.bindJson(BookLoanInput));
  c.header("location", c.href("/api/book-loans/{id}", { id: row.id }));
  return c.json(201, row);
}
// end
