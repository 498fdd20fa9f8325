import { type Ctx, int, type JsonResponse, use } from "@fw/fw";
import { BookLoanInput, type BookLoanRow, BookLoans } from "../../../../lib/book_loans.ts";

/** Returns a book loan. */
export function GET(c: Ctx<"/api/book-loans/{id}">): JsonResponse<200, BookLoanRow> {
  return c.json(200, use(c, BookLoans).get(c.param("id", int())));
}

/** Replaces the fields of a book loan; its uploads stay. */
export async function PUT(
  c: Ctx<"/api/book-loans/{id}">,
): Promise<JsonResponse<200, BookLoanRow>> {
  const id = c.param("id", int());
  return c.json(200, use(c, BookLoans).change(id, await c.bindJson(BookLoanInput)));
}

/** Deletes a book loan. */
export function DELETE(c: Ctx<"/api/book-loans/{id}">): Response {
  use(c, BookLoans).remove(c.param("id", int()));
  return c.noContent();
}
