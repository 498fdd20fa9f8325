import { type Ctx, type Node, notFound, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { labelOf } from "@/lib/categories.ts";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import { readEventQuery } from "@/lib/event_query.ts";
import { Store } from "@/lib/event_store.ts";
import { formatCount } from "@/lib/format.ts";
import { startTime } from "@/views/event_card.ts";
import { eventUrl } from "@/views/links.ts";
import { seatMeter } from "@/views/seat_meter.ts";

/** GET /organize */
export async function Page(c: Ctx): Promise<Node> {
  c.title = "Schedule";
  const query = await readEventQuery(c);
  const { events, total, pages } = use(c, Store).find(query);
  if (query.page > pages) throw notFound("the schedule has no such page");
  return ui.stack(
    h.id("schedule"),
    ui.pageHeader(
      "Schedule",
      h.p(formatCount(total, "event"), " to come"),
      ui.buttonLink(c.href("/organize/events/new"), ui.icon("plus"), "New event"),
    ),
    ui.dataTable({
      caption: "Events to come, in the order of their start",
      columns: [
        { title: "Event", cell: (event) => eventName(c, event) },
        { title: "Start", cell: (event) => h.group(ui.nowrap, startTime(c, event)) },
        { title: "Venue", cell: ({ venue }) => h.group(ui.nowrap, venue.name) },
        { title: "Seats taken", cell: seatsTaken },
        { title: ui.visuallyHidden("Actions"), cell: (event) => rowMenu(c, event) },
      ],
      rows: events,
    }),
    ui.pagination(
      {
        page: query.page,
        pages,
        href: (page) => c.href("/organize", {}, { query: { page } }),
      },
      ui.navigate("schedule"),
    ),
  );
}

function eventName(c: Ctx, { slug, title, category }: CityEvent): Node {
  return h.fragment(
    h.a(h.href(c.href("/organize/events/{slug}/edit", { slug })), title),
    h.span(h.class("meta"), labelOf(category)),
  );
}

function seatsTaken(event: CityEvent): Node {
  const { taken, seats, title } = event;
  return h.fragment(
    seatMeter({ taken, seats, label: `Seats taken for ${title}` }),
    seatsLeft(event) === 0 && ui.badge(ui.secondary, "Sold out"),
  );
}

function rowMenu(c: Ctx, event: CityEvent): Node {
  const { slug, title } = event;
  return ui.menu(
    h.group(ui.ghost, ui.square, ui.small, h.aria("label", `Actions: ${title}`), ui.icon("more")),
    ui.end,
    ui.menuLink(
      c.href("/organize/events/{slug}/edit", { slug }),
      ui.icon("edit"),
      "Edit",
    ),
    ui.menuLink(eventUrl(c, event), ui.icon("eye"), "See its page"),
    ui.separator(),
    ui.menuLink(
      c.href("/organize/events/{slug}/delete", { slug }),
      ui.destructive,
      ui.icon("trash"),
      "Delete",
    ),
  );
}
