import { type Ctx, use } from "@fw/fw";
import { toEventJson } from "@/lib/events/json.ts";
import { bindEventQuery, eventParams } from "@/lib/events/query.ts";
import { Lists } from "@/lib/events/lists.ts";

/**
 * GET /api/events: lists the events to come.
 *
 * The header `X-Total-Count` has the number of all events found, `Link` (RFC 8288) the URLs of the
 * pages around this one.
 *
 * openapi:query when When The period
 * openapi:query category Category
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await bindEventQuery(c);
  const { events, total, pages } = await use(c, Lists).find(query);
  const linkTo = (page: number, rel: string): string | undefined =>
    page < 1 || page > pages
      ? undefined
      : `<${c.href("/api/events", {}, { query: eventParams({ ...query, page }) })}>; rel="${rel}"`;
  const links = [linkTo(query.page - 1, "prev"), linkTo(query.page + 1, "next")];
  c.header("x-total-count", String(total));
  if (links.some(Boolean)) c.header("link", links.filter(Boolean).join(", "));
  return c.json(200, events.map((event) => toEventJson(c, event)));
}
