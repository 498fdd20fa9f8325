import { type Ctx, Problem, use } from "@fw/fw";
import { toEventJson } from "@/lib/event_json.ts";
import { formatEventQuery, parseEventQuery } from "@/lib/event_query.ts";
import { Lists } from "@/lib/event_lists.ts";

/**
 * GET /api/events: lists the events to come.
 *
 * The header `X-Total-Count` has the number of all events found, `Link` (RFC 8288) the URLs of the
 * pages around this one.
 *
 * openapi:query q string Words that must all occur, at most 80 characters
 * openapi:query when When The period
 * openapi:query category Category
 * openapi:query price "free" Only events that cost nothing
 * openapi:query page integer The page, from 1
 * openapi:query per_page integer How many events a page has, at most 50
 */
export async function GET(c: Ctx): Promise<Response> {
  const { query, errors } = parseEventQuery(c.url.searchParams);
  if (errors.any()) {
    throw new Problem({
      status: 400,
      title: "Invalid query",
      detail: "One or more query parameters have a value that cannot be used.",
      fields: errors,
    });
  }
  const { events, total, pages } = await use(c, Lists).find(query);
  const linkTo = (page: number, rel: string): string | undefined =>
    page < 1 || page > pages
      ? undefined
      : `<${c.href("/api/events")}${formatEventQuery({ ...query, page })}>; rel="${rel}"`;
  const links = [linkTo(query.page - 1, "prev"), linkTo(query.page + 1, "next")];
  c.header("x-total-count", String(total));
  if (links.some(Boolean)) c.header("link", links.filter(Boolean).join(", "));
  return c.json(200, events.map((event) => toEventJson(c, event)));
}
