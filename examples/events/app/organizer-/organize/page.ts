import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { categoryText } from "@/lib/messages.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { readEventQuery } from "@/lib/events/query.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { Store } from "@/lib/events/store.ts";
import { startTime } from "@/views/event_card.ts";
import { eventUrl } from "@/views/links.ts";
import { pageLinks } from "@/views/page_links.ts";
import { seatsTaken } from "@/views/guests.ts";
import { deskFigures } from "@/views/desk_figures.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(deskWords, "schedule");
  const query = await readEventQuery(c);
  const { events, total, next, previous } = await use(c, Store).find(query);
  const venues = await use(c, Store).summarizeVenues();
  return ui.stack(
    h.id("schedule"),
    ui.live(c.href("/organize/feed") + c.url.search),
    ui.pageHeader(
      c.title,
      h.p(c.t(deskWords, "toCome", { count: total })),
      ui.buttonLink(c.href("/organize/events/new"), ui.icon("plus"), c.t(deskWords, "newEvent")),
    ),
    ...deskFigures(c, venues),
    h.div(
      h.class("ui-frame"),
      ui.dataTable({
        caption: c.t(deskWords, "tableCaption"),
        columns: [
          { title: c.t(deskWords, "event"), cell: (event) => eventName(c, event) },
          {
            title: c.t(deskWords, "starts"),
            kind: "date",
            cell: (event) => startTime(c, event),
          },
          { title: c.t(deskWords, "venue"), cell: ({ venue }) => h.group(ui.nowrap, venue.name) },
          // The bar has its own label.
          {
            title: c.t(deskWords, "seatsTaken"),
            kind: "badge",
            cell: (event) => seatsTaken(c, event),
          },
        ],
        rows: events,
        menu: { items: (event) => menuItems(c, event), label: (event) => textsOf(c, event).title },
        cards: true,
      }, ui.hiddenCaption),
      pageLinks(
        c,
        { next, previous, href: (at) => c.href("/organize", {}, { query: { at } }) },
        "schedule",
      ),
    ),
  );
}

function eventName(c: Ctx, event: CityEvent): Node {
  const { slug, category } = event;
  const { title } = textsOf(c, event);
  return ui.item(title, {
    href: c.href("/organize/events/{slug}/edit", { slug }),
    detail: categoryText(c, category),
  });
}

function menuItems(c: Ctx, event: CityEvent): Node {
  const { slug } = event;
  return h.fragment(
    ui.menuLink(
      c.href("/organize/events/{slug}/edit", { slug }),
      ui.icon("edit"),
      c.t(deskWords, "edit"),
    ),
    ui.menuLink(
      c.href("/organize/events/{slug}/guests", { slug }),
      ui.icon("users"),
      c.t(deskWords, "guests"),
    ),
    ui.menuLink(eventUrl(c, event), ui.icon("eye"), c.t(deskWords, "seePage")),
    ui.separator(),
    ui.menuLink(
      c.href("/organize/events/{slug}/delete", { slug }),
      ui.destructive,
      ui.icon("trash"),
      c.t(deskWords, "delete"),
    ),
  );
}
