import { type Ctx, int, type Result, use } from "@fw/fw";
import { BookLoans } from "../../../../lib/book_loans.ts";

/**
 * Returns the cover of a book loan.
 *
 * openapi:response 200 image/*
 */
export async function GET(c: Ctx<"/book-loans/{id}/cover">): Promise<Result> {
  // if hidden
  // The file of a deleted row is a 404.
  await use(c, BookLoans).get(c.param("id", int()));
  // end
  const { hash, mime, bytes } = await use(c, BookLoans).getFile(c.param("id", int()), "cover");
  // Pages link to it by its hash, so a copy cached for a year is never stale.
  const isNamed = c.query("v") === hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(hash)) return;
  return new Response(await bytes(), { headers: { "content-type": mime } });
}
