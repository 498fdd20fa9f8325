import { type Ctx, notFound, type Result, use } from "@fw/fw";
import { coverVersion, drawCover } from "@/lib/covers/art.ts";
import { Store } from "@/lib/events/store.ts";
import { Slug } from "@/lib/slug.ts";

/** GET /events/{slug}/cover.svg */
export async function GET(c: Ctx<"/events/{slug}/cover.svg">): Promise<Result> {
  const event = await use(c, Store).findBySlug(c.param("slug", Slug));
  if (event === undefined) throw notFound();
  const version = coverVersion(event);
  // Pages link to the image with its version, so that a permanently cached image is never stale.
  const isVersioned = c.query("v") === version;
  c.cacheControl(isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=3600");
  if (c.etag(version)) return;
  return new Response(drawCover(event), { headers: { "content-type": "image/svg+xml" } });
}
