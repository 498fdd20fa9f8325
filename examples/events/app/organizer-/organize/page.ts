import { type Ctx, type Node, notFound, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { labelOf } from "@/lib/categories.ts";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import { parseEventQuery } from "@/lib/event_query.ts";
import { Store } from "@/lib/event_store.ts";
import { formatCount } from "@/lib/format.ts";
import { startTime } from "@/views/event_card.ts";
import { pagination } from "@/views/pagination.ts";
import { seatMeter } from "@/views/seat_meter.ts";

/** GET /organize */
export function Page(c: Ctx): Node {
  c.title = "Schedule";
  const { query } = parseEventQuery(c.url.searchParams);
  const { events, total, pages } = use(c, Store).find(query);
  if (query.page > pages) throw notFound("the schedule has no such page");
  return h.fragment(
    h.header(h.class("desk-head"), h.h1("Schedule"), h.p(formatCount(total, "event"), " to come")),
    h.p(
      h.class("desk-lead"),
      h.a(h.class("button"), h.href(c.href("/organize/events/new")), "New event"),
      h.span(h.class("meta"), "Choose an event to change it."),
    ),
    h.div(
      h.class("table-scroll"),
      h.tabindex(0),
      h.attr("role", "region"),
      h.aria("label", "Schedule"),
      h.table(
        h.thead(h.tr(
          h.th(h.scope("col"), "Event"),
          h.th(h.scope("col"), "Start"),
          h.th(h.scope("col"), "Venue"),
          h.th(h.scope("col"), "Seats taken"),
        )),
        h.tbody(h.map(events, (event) => scheduleRow(c, event))),
      ),
    ),
    pagination({
      page: query.page,
      pages,
      urlOf: (page) => `${c.href("/organize")}?page=${page}`,
    }),
  );
}

function scheduleRow(c: Ctx, event: CityEvent): Node {
  const { slug, title, category, venue, taken, seats } = event;
  return h.tr(
    h.th(
      h.scope("row"),
      h.a(h.href(c.href("/organize/events/{slug}/edit", { slug })), title),
      h.span(h.class("meta"), labelOf(category)),
    ),
    h.td(startTime(event)),
    h.td(venue.name),
    h.td(
      seatMeter({ taken, seats, label: `Seats taken for ${title}` }),
      seatsLeft(event) === 0 && h.span(h.class("note"), "Sold out"),
    ),
  );
}
