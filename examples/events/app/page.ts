import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categories } from "@/lib/categories.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { anyEvent } from "@/lib/events/query.ts";
import { Lists } from "@/lib/events/lists.ts";
import { Store } from "@/lib/events/store.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { categoryText, dateText, messages, priceText } from "@/lib/messages.ts";
import { cover, eventCard, langOf, startTime } from "@/views/event_card.ts";
import { eventUrl, listUrl } from "@/views/links.ts";
import { searchForm } from "@/views/search_form.ts";

/** GET / */
export async function Page(c: Ctx): Promise<Node> {
  const lists = use(c, Lists);
  const { total } = await lists.find({ ...anyEvent, perPage: 1 });
  const featured = await lists.findFeatured();
  const findSoon = async (when: "weekend" | "week"): Promise<readonly CityEvent[]> =>
    (await lists.find({ ...anyEvent, when })).events.filter(({ id }) => id !== featured?.id);
  const weekend = await findSoon("weekend");
  // On a Sunday, little is left of the weekend.
  const when = weekend.length < 3 ? "week" : "weekend";
  const soon = (when === "week" ? await findSoon(when) : weekend).slice(0, 6);
  const shown = new Set([featured, ...soon].map((event) => event?.id));
  const free = (await lists.find({ ...anyEvent, isFree: true })).events
    .filter(({ id }) => !shown.has(id))
    .slice(0, 3);
  return h.fragment(
    h.div(
      h.class("front"),
      opening(c, total),
      h.when(featured, (event) => lead(c, event)),
    ),
    shelf(c, {
      title: c.t(messages, when),
      url: listUrl(c, { when }),
      events: soon,
    }),
    !c.isExport && categoryIndex(c, await lists.countByCategory()),
    shelf(c, { title: c.t(messages, "atNoCost"), url: listUrl(c, { isFree: true }), events: free }),
  );
}

function opening(c: Ctx, total: number): Node {
  const today = use(c, Store).now().toPlainDate();
  return h.section(
    h.class("opening"),
    h.p(h.class("dateline"), h.time(h.datetime(String(today)), dateText(c, today)), " · Lisbon"),
    h.h1(c.t(messages, "heading")),
    h.p(
      h.class("lead"),
      c.t(messages, "lead", { count: total }),
    ),
    searchForm(c, anyEvent),
    h.ul(
      h.class("shortcuts"),
      // A static export, written by `app.export`, has a single list of all events.
      !c.isExport && [
        h.li(h.a(h.href(listUrl(c, { when: "today" })), c.t(messages, "today"))),
        h.li(h.a(h.href(listUrl(c, { when: "weekend" })), c.t(messages, "weekend"))),
        h.li(h.a(h.href(listUrl(c, { isFree: true })), c.t(messages, "freeOfCharge"))),
      ],
      h.li(h.a(h.href(c.href("/events")), c.t(messages, "allEvents"))),
    ),
  );
}

/** Renders the featured event. */
function lead(c: Ctx, event: CityEvent): Node {
  const { venue } = event;
  const { title, summary } = textsOf(c, event);
  const language = langOf(c, event);
  return h.article(
    h.class("feature"),
    cover(c, event, h.loading("eager")),
    h.div(
      h.p(
        h.class("kicker"),
        `${categoryText(c, event.category)} · ${priceText(c, event.priceCents)}`,
      ),
      h.h2(h.a(h.href(eventUrl(c, event)), title), language),
      h.p(h.class("card-summary"), language, summary),
      h.p(h.class("meta"), startTime(c, event), ` · ${venue.name}, ${venue.area}`),
    ),
  );
}

/** Renders a row of cards under a heading; nothing without events. */
function shelf(
  c: Ctx,
  { title, url, events }: {
    readonly title: string;
    readonly url: string;
    readonly events: readonly CityEvent[];
  },
): Node | undefined {
  if (events.length === 0) return undefined;
  return h.section(
    h.class("shelf"),
    h.div(
      h.class("shelf-head"),
      h.h2(title),
      !c.isExport &&
        h.a(h.href(url), c.t(messages, "seeAll"), ui.visuallyHidden(`: ${title}`)),
    ),
    h.div(h.class("cards"), h.map(events, (event) => eventCard(c, event))),
  );
}

function categoryIndex(c: Ctx, counts: ReadonlyMap<string, number>): Node {
  return h.section(
    h.class("index"),
    h.aria("label", c.t(messages, "categories")),
    h.ul(h.map(categories, ({ id }) =>
      h.li(
        h.class(`tone-${id}`),
        h.a(
          h.href(listUrl(c, { category: id })),
          h.span(h.class("index-label"), categoryText(c, id)),
          " ",
          h.span(h.class("index-count"), c.t(messages, "events", { count: counts.get(id) ?? 0 })),
        ),
      ))),
  );
}
