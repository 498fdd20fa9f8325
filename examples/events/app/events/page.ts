import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { labelOf } from "@/lib/categories.ts";
import { anyEvent, type EventQuery, readEventQuery } from "@/lib/events/query.ts";
import { Lists } from "@/lib/events/lists.ts";
import { maxCount, Store } from "@/lib/events/store.ts";
import { categoryText, messages, periodText } from "@/lib/messages.ts";
import { Description } from "@/lib/page_meta.ts";
import { documentTitle } from "@/lib/page_title.ts";
import { periods } from "@/lib/when.ts";
import { agenda } from "@/views/agenda.ts";
import { filterLinks } from "@/views/filters.ts";
import { listUrl } from "@/views/links.ts";
import { pageLinks } from "@/views/page_links.ts";
import { searchForm } from "@/views/search_form.ts";

/** Maximum number of events in the list of a static export. */
const maxListed = 1_000;

/** The id of the list with its filters, which filter and page links replace. */
const list = "events";

/** GET /events, or only the list with `FW-Fragment`. */
export async function Page(c: Ctx): Promise<Node> {
  const store = use(c, Store);
  const asked = await readEventQuery(c);
  // A static export has no pages of a list.
  const query = c.isExport ? { ...asked, perPage: maxListed } : asked;
  const { events, total, next, previous } = await use(c, Lists).find(query);
  const title = titleOf(c, query);
  c.title = previous === undefined ? title : c.t(messages, "continued", { title });
  const counted = total > maxCount
    ? c.t(messages, "moreEvents", { count: maxCount })
    : c.t(messages, "events", { count: total });
  const { total: all } = total > 0
    ? { total }
    : await use(c, Lists).find({ ...anyEvent, perPage: 1 });
  c.set(Description, c.t(messages, "listDescription", { title, events: counted }));
  const body = h.div(
    h.id(list),
    ui.pageHeader(
      title,
      h.p(h.class("result-count"), h.role("status"), counted),
    ),
    searchForm(c, query, ui.swap(list), ui.replaceUrl(), ui.submitOn("input")),
    h.div(
      !c.isExport && h.class("list"),
      filterLinks(c, query, list),
      h.div(
        h.either(
          events.length > 0,
          () => agenda(c, events, { today: store.now().toPlainDate() }),
          () => nothingFound(c, { isSearch: query.q !== "", all }),
        ),
        pageLinks(c, { next, previous, href: (at) => listUrl(c, { ...query, at }) }, list),
      ),
    ),
  );
  // The layout renders the title of a page, but a fragment has no layout.
  return h.fragment(c.fragment !== undefined && h.title(documentTitle(c)), body);
}

/** Returns the page's title: a phrase in English, a list of the filters in other languages. */
function titleOf(c: Ctx, query: EventQuery): string {
  if (c.language === "en") return englishTitle(query);
  const { q, when, category, isFree } = query;
  const parts = [
    q === "" ? "" : `“${q}”`,
    category === undefined ? "" : categoryText(c, category),
    when === undefined ? "" : periodText(c, when),
    isFree ? c.t(messages, "free") : "",
  ].filter((part) => part !== "");
  return parts.length === 0 ? c.t(messages, "allEvents") : parts.join(" · ");
}

/** Returns the English title, such as `Free music this weekend` or `“fado”`. */
function englishTitle({ q, when, category, isFree }: EventQuery): string {
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

function nothingFound(
  c: Ctx,
  { isSearch, all }: { readonly isSearch: boolean; readonly all: number },
): Node {
  return ui.emptyState(
    h.h2(c.t(messages, "nothingTitle")),
    ui.icon("search"),
    h.p(
      isSearch ? c.t(messages, "nothingHas") : c.t(messages, "nothingFits"),
    ),
    ui.buttonLink(c.href("/events"), ui.outline, c.t(messages, "seeAllOf", { count: all })),
  );
}
