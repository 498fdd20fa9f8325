import { type Ctx, type Node, notFound, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { labelOf } from "@/lib/categories.ts";
import { type CityEvent, dayOf, seatsLeft } from "@/lib/city_event.ts";
import { toLocalText } from "@/lib/clock.ts";
import { type EventStore, Store } from "@/lib/event_store.ts";
import { formatCount, formatDate, formatPrice, formatTime } from "@/lib/format.ts";
import { Description } from "@/lib/page_meta.ts";
import { cover, eventCard } from "@/views/event_card.ts";
import { listUrl } from "@/views/links.ts";

/** GET /events/{slug} */
export function Page(c: Ctx): Node {
  const store = use(c, Store);
  const event = store.findBySlug(c.param("slug"));
  if (event === undefined) throw notFound();
  c.title = event.title;
  c.set(Description, event.summary);
  return h.fragment(
    h.article(
      h.class("event"),
      heading(c, event),
      cover(c, event),
      h.div(
        h.class("event-body"),
        facts(c, event, { isOver: event.endsAt <= toLocalText(store.now()) }),
        h.div(
          h.class("story"),
          paragraphs(event.story),
          h.h2(`About ${event.venue.name}`),
          h.p(event.venue.note),
        ),
      ),
    ),
    similar(c, event, store),
  );
}

/** The story, in which an empty line starts a new paragraph. */
function paragraphs(story: string): readonly Node[] {
  return story.split(/\n\s*\n/).map((paragraph) => h.p(paragraph));
}

function heading(c: Ctx, event: CityEvent): Node {
  const { category, title, summary } = event;
  return h.header(
    h.class("page-head"),
    h.p(
      h.class("kicker"),
      h.a(h.href(c.href("/events")), "Events"),
      " / ",
      h.a(h.href(listUrl(c, { category })), labelOf(category)),
    ),
    h.h1(title),
    h.p(h.class("lead"), summary),
  );
}

function facts(c: Ctx, event: CityEvent, { isOver }: { readonly isOver: boolean }): Node {
  const { slug, startsAt, endsAt, venue, priceCents } = event;
  return h.aside(
    h.class("facts"),
    h.aria("label", "Date, place and price"),
    h.dl(
      fact("When", [
        h.time(h.datetime(startsAt), formatDate(dayOf(event))),
        h.br(),
        `${formatTime(startsAt)} to ${formatTime(endsAt)}`,
      ]),
      fact("Where", [venue.name, h.br(), `${venue.address}, ${venue.area}`]),
      fact("Price", [formatPrice(priceCents)]),
      fact("Seats", [isOver ? "This event is over" : seatsText(event)]),
    ),
    h.a(
      h.class("button"),
      h.href(c.href("/events/{slug}/calendar.ics", { slug })),
      h.download(`${slug}.ics`),
      "Add to calendar",
    ),
  );
}

function fact(name: string, value: readonly (Node | string)[]): Node {
  return h.div(h.dt(name), h.dd(value));
}

function seatsText(event: CityEvent): string {
  const left = seatsLeft(event);
  return left === 0 ? "Sold out" : `${left} of ${formatCount(event.seats, "seat")} left`;
}

function similar(c: Ctx, event: CityEvent, store: EventStore): Node | undefined {
  const events = store.findSimilar(event, 3);
  if (events.length === 0) return undefined;
  return h.section(
    h.class("shelf"),
    h.div(h.class("shelf-head"), h.h2(`More ${labelOf(event.category).toLowerCase()}`)),
    h.div(h.class("cards"), h.map(events, (other) => eventCard(c, other))),
  );
}
