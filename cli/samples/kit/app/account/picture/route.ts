import { type Ctx, notFound, type Result } from "@fw/fw";
import { findPicture, readPicture } from "../../../lib/account_pictures.ts";
import { sessions } from "../../../lib/sessions.ts";

/**
 * Returns the picture of the signed-in user.
 *
 * openapi:omit
 */
export async function GET(c: Ctx): Promise<Result> {
  const user = await sessions.require(c);
  const picture = await findPicture(c, user);
  if (picture === undefined) throw notFound();
  // Pages link to it by its hash, so a copy cached for a year is never stale.
  const isNamed = c.query("v") === picture.hash;
  c.cacheControl(isNamed ? "private, max-age=31536000, immutable" : "private, no-cache");
  if (c.etag(picture.hash)) return;
  return new Response(await readPicture(c, user.id), {
    headers: { "content-type": picture.type },
  });
}
