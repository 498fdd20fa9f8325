import { type Ctx, type Node, notFound, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { labelOf } from "@/lib/categories.ts";
import { type EventQuery, parseEventQuery } from "@/lib/event_query.ts";
import { Lists } from "@/lib/event_lists.ts";
import { Store } from "@/lib/event_store.ts";
import { formatCount } from "@/lib/format.ts";
import { Description } from "@/lib/page_meta.ts";
import { periods } from "@/lib/when.ts";
import { agenda } from "@/views/agenda.ts";
import { filterLinks } from "@/views/filters.ts";
import { listUrl } from "@/views/links.ts";
import { pagination } from "@/views/pagination.ts";
import { searchForm } from "@/views/search_form.ts";

/** How many events the list of a site of files shows. */
const maxListed = 1_000;

/** GET /events */
export async function Page(c: Ctx): Promise<Node> {
  const store = use(c, Store);
  const { query: asked } = parseEventQuery(c.url.searchParams);
  // A site of files cannot turn the pages of a list.
  const query = c.isExport ? { ...asked, perPage: maxListed } : asked;
  const { events, total, pages } = await use(c, Lists).find(query);
  if (query.page > pages) throw notFound("the list has no such page");
  const title = titleOf(query);
  c.title = query.page === 1 ? title : `${title}, page ${query.page}`;
  c.set(Description, `${title} in Lisbon: ${formatCount(total, "event")}, with dates and prices.`);
  return h.fragment(
    h.header(
      h.class("page-head"),
      h.h1(title),
      h.p(h.class("result-count"), h.attr("role", "status"), formatCount(total, "event")),
      searchForm(c, query),
    ),
    h.div(
      // Beside the filters; without them the list has the whole width.
      !c.isExport && h.class("list"),
      filterLinks(c, query),
      h.div(
        h.either(
          events.length > 0,
          () => agenda(c, events, { today: store.now().toPlainDate() }),
          () => nothingFound(c, query),
        ),
        pagination({ page: query.page, pages, urlOf: (page) => listUrl(c, { ...query, page }) }),
      ),
    ),
  );
}

/** What the page is called: `Free music this weekend`, `“fado”`. */
function titleOf({ q, when, category, isFree }: EventQuery): string {
  const what = category === undefined ? "events" : labelOf(category).toLowerCase();
  const period = periods.find(({ id }) => id === when)?.label.toLowerCase();
  const parts = [isFree ? "free" : "", what, period === undefined ? "" : inSentence(period)];
  const sentence = parts.filter((part) => part !== "").join(" ");
  const isPlain = category === undefined && when === undefined && !isFree;
  const title = isPlain ? "All events" : sentence.charAt(0).toUpperCase() + sentence.slice(1);
  if (q === "") return title;
  return isPlain ? `“${q}”` : `“${q}” in ${sentence}`;
}

function inSentence(period: string): string {
  return period.startsWith("next") ? `in the ${period}` : period;
}

function nothingFound(c: Ctx, query: EventQuery): Node {
  return h.div(
    h.class("empty"),
    h.h2("Nothing on the horizon"),
    h.p(
      query.q === ""
        ? "No event fits these filters. "
        : "No event has all of these words. Try fewer of them, or the beginning of one. ",
      h.a(h.href(c.href("/events")), "See all events"),
    ),
  );
}
