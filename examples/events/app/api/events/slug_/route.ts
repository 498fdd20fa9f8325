import { type Ctx, notFound, use } from "@fw/fw";
import { toEventJson } from "@/lib/event_json.ts";
import { Store } from "@/lib/event_store.ts";
import { Slug } from "@/lib/slug.ts";

/** GET /api/events/{slug}: shows one event. */
export function GET(c: Ctx<"/api/events/{slug}">): Response {
  const event = use(c, Store).findBySlug(c.param("slug", Slug));
  if (event === undefined) throw notFound("there is no such event");
  return c.json(200, toEventJson(c, event));
}
