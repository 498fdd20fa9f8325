import type { Ctx } from "@fw/fw";
import { findEvent } from "@/lib/events/saving.ts";
import { Slug } from "@/lib/slug.ts";
import { programme } from "@/views/print/programme.ts";

/** GET /events/{slug}/programme */
export function GET(c: Ctx<"/events/{slug}/programme">): Response {
  return c.html(200, programme(c, findEvent(c, c.param("slug", Slug))));
}
