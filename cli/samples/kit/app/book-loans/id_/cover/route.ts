import { type Ctx, int, notFound, type Result, use } from "@fw/fw";
import { BookLoans } from "../../../../lib/book_loans.ts";

/**
 * Returns the cover of a book loan.
 *
 * openapi:response 200 image/*
 */
export function GET(c: Ctx<"/book-loans/{id}/cover">): Result {
  const id = c.param("id", int());
  const file = use(c, BookLoans).get(id).cover;
  if (file === null) throw notFound();
  // Pages link to it with its hash, so that what is kept for a year is never stale.
  const isNamed = c.query("v") === file.hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(file.hash)) return;
  const headers = { "content-type": file.type };
  return new Response(use(c, BookLoans).bytes(id, "cover"), { headers });
}
