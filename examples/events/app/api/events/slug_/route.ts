import type { Ctx } from "@fw/fw";
import { toEventJson } from "@/lib/events/json.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { Slug } from "@/lib/slug.ts";

/** GET /api/events/{slug}: returns one event. */
export async function GET(c: Ctx<"/api/events/{slug}">): Promise<Response> {
  return c.json(200, toEventJson(c, await findEvent(c, c.param("slug", Slug))));
}
