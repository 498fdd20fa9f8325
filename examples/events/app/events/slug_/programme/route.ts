import type { Ctx } from "@fw/fw";
import { findEvent } from "@/lib/events/saving.ts";
import { Slug } from "@/lib/slug.ts";
import { programme } from "@/views/print/programme.ts";

/** GET /events/{slug}/programme */
export async function GET(c: Ctx<"/events/{slug}/programme">): Promise<Response> {
  return c.html(200, await programme(c, await findEvent(c, c.param("slug", Slug))));
}
