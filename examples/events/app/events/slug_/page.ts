import {
  type Application,
  type Ctx,
  type FlashKind,
  type Node,
  type PathParams,
  use,
} from "@fw/fw";
import * as h from "@fw/fw/h";
import { Guests } from "@/lib/attendance.ts";
import { labelOf } from "@/lib/categories.ts";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { toLocalText } from "@/lib/clock.ts";
import { anyEvent } from "@/lib/event_query.ts";
import { findEvent } from "@/lib/event_saving.ts";
import { type EventStore, Store } from "@/lib/event_store.ts";
import { formatDate, formatPrice, formatTime } from "@/lib/format.ts";
import { Feed } from "@/lib/live_feed.ts";
import { Description } from "@/lib/page_meta.ts";
import { seatFacts } from "@/lib/seats.ts";
import { rememberVisitor } from "@/lib/visitor.ts";
import { cover, eventCard } from "@/views/event_card.ts";
import { going, liveField } from "@/views/going.ts";
import { eventUrl, listUrl } from "@/views/links.ts";

/** The events of which a site of files has a page: those to come. */
export function* Paths(app: Application): Generator<PathParams> {
  const { events } = use(app, Store).find({ ...anyEvent, perPage: maxListed });
  for (const { slug } of events) yield { slug };
}

const maxListed = 1_000;

/** GET /events/{slug} */
export function Page(c: Ctx): Node {
  const store = use(c, Store);
  const event = findEvent(c, c.param("slug"));
  c.title = event.title;
  c.set(Description, event.summary);
  return h.fragment(
    h.article(
      h.class("event"),
      heading(c, event),
      cover(c, event),
      h.div(
        h.class("event-body"),
        facts(c, event, { isOver: isOver(c, event) }),
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

/** POST /events/{slug}: "I am going", and that one cannot come after all. */
export async function POST(c: Ctx): Promise<Response> {
  const event = findEvent(c, c.param("slug"));
  const isJoining = await c.form("going") !== "no";
  const [kind, text] = isOver(c, event)
    ? ["error", "This event is over."] as const
    : changeSeat(c, event, isJoining);
  c.flash(kind, text);
  return c.redirect(eventUrl(c, event));
}

function changeSeat(c: Ctx, event: CityEvent, isJoining: boolean): [FlashKind, string] {
  const guests = use(c, Guests);
  const visitor = rememberVisitor(c);
  const outcome = isJoining ? guests.join(event, visitor) : guests.leave(event, visitor) && "left";
  if (outcome === "going" || outcome === "left") use(c, Feed).announce(event.id);
  switch (outcome) {
    case "going":
      return ["success", "See you there: a seat is kept for you."];
    case "already":
      return ["info", "You have a seat already."];
    case "full":
      return ["error", "The last seat is gone."];
    case "left":
      return ["success", "Your seat is free for somebody else."];
    case false:
      return ["info", "You had no seat."];
  }
}

function isOver(c: Ctx, event: CityEvent): boolean {
  return event.endsAt <= toLocalText(use(c, Store).now());
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
      h.a(!c.isExport && h.href(listUrl(c, { category })), labelOf(category)),
    ),
    h.h1(title),
    h.p(h.class("lead"), summary),
  );
}

function facts(c: Ctx, event: CityEvent, { isOver }: { readonly isOver: boolean }): Node {
  const { slug, startsAt, endsAt, venue, priceCents } = event;
  const seats = seatFacts(event);
  // A site of files takes no seat, and cannot tell how many are left.
  const isOpen = !isOver && !c.isExport;
  const known = [
    h.dl(
      fact("When", [
        h.time(h.datetime(startsAt), formatDate(dayOf(event))),
        h.br(),
        `${formatTime(startsAt)} to ${formatTime(endsAt)}`,
      ]),
      fact("Where", [venue.name, h.br(), `${venue.address}, ${venue.area}`]),
      fact("Price", [formatPrice(priceCents)]),
      fact("Seats", [
        isOver
          ? "This event is over"
          : c.isExport
          ? String(event.seats)
          : h.span(liveField("left"), seats.left),
      ]),
    ),
    isOpen && going(c, event, seats),
    h.a(
      h.class("button", isOpen && "quiet"),
      h.href(c.href("/events/{slug}/calendar.ics", { slug })),
      h.download(`${slug}.ics`),
      "Add to calendar",
    ),
  ];
  const feed = c.href("/api/events/{slug}/attendees", { slug });
  return h.aside(
    h.class("facts"),
    h.aria("label", "Date, place and price"),
    isOpen ? c.island("/live.js", { feed }, ...known) : known,
  );
}

function fact(name: string, value: readonly (Node | string)[]): Node {
  return h.div(h.dt(name), h.dd(value));
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
