import { type Ctx, use } from "@fw/fw";
import { toEventJson } from "@/lib/events/json.ts";
import { bindEventQuery, eventParams } from "@/lib/events/query.ts";
import { Lists } from "@/lib/events/lists.ts";

/**
 * GET /api/events: lists the upcoming events.
 *
 * The header `X-Total-Count` has the number of matching events, where 1001 means more than 1000;
 * `Link` (RFC 8288) has the URLs of the previous and next page.
 *
 * openapi:query when When The period
 * openapi:query category Category
 */
export async function GET(c: Ctx): Promise<Response> {
  const query = await bindEventQuery(c);
  const { events, total, next, previous } = await use(c, Lists).find(query);
  const links = [["prev", previous], ["next", next]].flatMap(([rel, at]) => {
    if (at === undefined) return [];
    const url = c.href("/api/events", {}, { query: eventParams({ ...query, at }) });
    return [`<${url}>; rel="${rel}"`];
  });
  c.header("x-total-count", String(total));
  if (links.length > 0) c.header("link", links.join(", "));
  return c.json(200, events.map((event) => toEventJson(c, event)));
}
