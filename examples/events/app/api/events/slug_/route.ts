import { type Ctx, notFound, use } from "@fw/fw";
import { toEventJson } from "@/lib/event_json.ts";
import { Store } from "@/lib/event_store.ts";

/** GET /api/events/{slug}: shows one event. */
export function GET(c: Ctx<"/api/events/{slug}">): Response {
  const event = use(c, Store).findBySlug(c.param("slug"));
  if (event === undefined) throw notFound("there is no such event");
  return c.json(200, toEventJson(c, event));
}
