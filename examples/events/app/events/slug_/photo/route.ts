import { type Ctx, notFound, type Result, use } from "@fw/fw";
import { Store } from "@/lib/events/store.ts";
import { Photos } from "@/lib/photo_files.ts";
import { Slug } from "@/lib/slug.ts";

/**
 * GET /events/{slug}/photo: the uploaded image.
 *
 * openapi:response 200 image/*
 */
export async function GET(c: Ctx<"/events/{slug}/photo">): Promise<Result> {
  const event = await use(c, Store).findBySlug(c.param("slug", Slug));
  const photo = event?.photo;
  if (photo === undefined) throw notFound();
  const isVersioned = c.query("v") === photo.version;
  const opened = c.etag(photo.version) ? undefined : await use(c, Photos).open(photo);
  if (opened === undefined && !c.written) throw notFound();
  c.cacheControl(isVersioned ? "public, max-age=31536000, immutable" : "public, max-age=60");
  if (opened === undefined) return;
  return new Response(opened.stream, {
    headers: {
      // The type detected from the content; browsers must not guess another for an upload.
      "content-type": photo.type,
      "x-content-type-options": "nosniff",
      "content-security-policy": "default-src 'none'; sandbox",
      "content-length": String(opened.size),
    },
  });
}
