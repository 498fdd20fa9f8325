import { type Ctx, int, type JsonResponse, use } from "@fw/fw";
import { rowTag } from "@fw/fw/data";
import { BookLoanInput, type BookLoanRow, BookLoans } from "../../../../lib/book_loans.ts";

/** Returns a book loan. */
export async function GET(c: Ctx<"/api/book-loans/{id}">): Promise<JsonResponse<200, BookLoanRow>> {
  const row = await use(c, BookLoans).get(c.param("id", int()));
  c.etag(rowTag(row));
  return c.json(200, row);
}

/** Replaces the fields of a book loan, but not its uploads; `If-Match` prevents lost updates. */
export async function PUT(c: Ctx<"/api/book-loans/{id}">): Promise<JsonResponse<200, BookLoanRow>> {
  const id = c.param("id", int());
  const input = await c.bindJson(BookLoanInput);
  const store = use(c, BookLoans);
  const row = await store.locked(id, async (row) => {
    c.ifMatch(rowTag(row));
    return await store.change(id, input);
  });
  c.etag(rowTag(row));
  return c.json(200, row);
}

/** Deletes a book loan; `If-Match` works as for an update. */
export async function DELETE(c: Ctx<"/api/book-loans/{id}">): Promise<Response> {
  const store = use(c, BookLoans);
  const id = c.param("id", int());
  await store.locked(id, async (row) => {
    c.ifMatch(rowTag(row));
    await store.remove(id);
  });
  return c.noContent();
}
