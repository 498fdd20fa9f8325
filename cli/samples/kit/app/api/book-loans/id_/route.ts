import { type Ctx, int, type JsonResponse, use } from "@fw/fw";
import { BookLoanInput, type BookLoanRow, BookLoans } from "../../../../lib/book_loans.ts";

/** Returns a book loan. */
export async function GET(c: Ctx<"/api/book-loans/{id}">): Promise<JsonResponse<200, BookLoanRow>> {
  return c.json(200, await use(c, BookLoans).get(c.param("id", int())));
}

/** Replaces the fields of a book loan; its uploads stay. */
export async function PUT(c: Ctx<"/api/book-loans/{id}">): Promise<JsonResponse<200, BookLoanRow>> {
  const id = c.param("id", int());
  return c.json(200, await use(c, BookLoans).change(id, await c.bindJson(BookLoanInput)));
}

/** Deletes a book loan. */
export async function DELETE(c: Ctx<"/api/book-loans/{id}">): Promise<Response> {
  await use(c, BookLoans).remove(c.param("id", int()));
  return c.noContent();
}
