import { type Ctx, int, notFound, type Result, use } from "@fw/fw";
import { Loans } from "@/lib/loans.ts";

/**
 * Returns the photo of a loan.
 *
 * openapi:omit
 */
export async function GET(c: Ctx<"/loans/{id}/photo">): Promise<Result> {
  const id = c.param("id", int());
  const { photoHash: hash, photoType: type } = await use(c, Loans).get(id);
  if (hash === null) throw notFound();
  // Pages link to it with its hash, so that what is kept for a year is never stale.
  const isNamed = c.query("v") === hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(hash)) return;
  const headers = { "content-type": type ?? "application/octet-stream" };
  return new Response(await use(c, Loans).bytes(id, "photo"), { headers });
}
