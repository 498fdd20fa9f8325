import { type Ctx, type JsonResponse, use } from "@fw/fw";
import { addFromBody, EventBody } from "@/lib/events/body.ts";
import { type EventJson, toEventJson } from "@/lib/events/json.ts";
import { bindEventQuery } from "@/lib/events/query.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { Store } from "@/lib/events/store.ts";

/** An event with the fields for partners. */
export interface PartnerEventJson extends EventJson {
  readonly seats_taken: number;
}

/**
 * GET /api/partners/events: the list of `/api/events`, with the number of taken seats.
 *
 * openapi:query when When The period
 * openapi:query category Category
 * openapi:tag partners
 */
export async function GET(c: Ctx): Promise<JsonResponse<200, readonly PartnerEventJson[]>> {
  const query = await bindEventQuery(c);
  const { events, total } = await use(c, Store).find(query);
  c.header("x-total-count", String(total));
  return c.json(
    200,
    events.map((event) => ({ ...toEventJson(c, event), seats_taken: event.taken })),
  );
}

/**
 * POST /api/partners/events: creates an event from JSON; a 422 names the invalid fields.
 *
 * openapi:tag partners
 */
export async function POST(c: Ctx): Promise<JsonResponse<201, EventJson>> {
  const body = await c.bindJson(EventBody);
  const slug = await addFromBody(c, body);
  c.header("location", c.href("/api/events/{slug}", { slug }));
  return c.json(201, toEventJson(c, await findEvent(c, slug)));
}
