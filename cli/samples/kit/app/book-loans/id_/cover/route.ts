import { type Ctx, int, notFound, type Result, use } from "@fw/fw";
import { BookLoans } from "../../../../lib/book_loans.ts";

/**
 * Returns the cover of a book loan.
 *
 * openapi:response 200 image/*
 */
export async function GET(c: Ctx<"/book-loans/{id}/cover">): Promise<Result> {
  const id = c.param("id", int());
  const { coverHash: hash, coverType: type } = await use(c, BookLoans).get(
    id,
    // if audit
    { deleted: true },
    // end
  );
  if (hash === null) throw notFound();
  // Pages link to it by its hash, so a copy cached for a year is never stale.
  const isNamed = c.query("v") === hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(hash)) return;
  const headers = { "content-type": type ?? "application/octet-stream" };
  return new Response(await use(c, BookLoans).bytes(id, "cover"), { headers });
}
