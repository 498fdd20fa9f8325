import { inNoLanguage } from "@/views/links.ts";
import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Guests } from "@/lib/attendance.ts";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { toLocalText } from "@/lib/clock.ts";
import { Store } from "@/lib/events/store.ts";
import { formatTime } from "@/lib/format.ts";
import { dateText, priceText } from "@/lib/messages.ts";
import { seatFacts } from "@/lib/seats.ts";
import { going, seatsLeftText } from "./going.ts";
import { pageWords } from "@/lib/page_words.ts";

/** The id of the facts, which the response to the button replaces. */
const factsId = "facts";

/** Returns whether an event is over, so that no more seats can be taken. */
export function isOver(c: Ctx, event: CityEvent): boolean {
  return event.endsAt <= toLocalText(use(c, Store).now());
}

/** Renders date, place, price and seats of an event, with the available actions. */
export async function eventFacts(
  c: Ctx,
  event: CityEvent,
  { visitor }: { readonly visitor: string | undefined },
): Promise<Node> {
  const { slug, startsAt, endsAt, venue, priceCents } = event;
  const seats = seatFacts(c, event);
  const isPast = isOver(c, event);
  // A static export cannot reserve seats or know how many are left.
  const isOpen = !isPast && !c.isExport;
  const isGoing = isOpen && visitor !== undefined &&
    await use(c, Guests).isGoing(event, visitor);
  const known = [
    h.dl(
      fact(c.t(pageWords, "when"), [
        h.time(h.datetime(startsAt), dateText(c, dayOf(event))),
        h.br(),
        c.t(pageWords, "fromTo", { from: formatTime(startsAt), to: formatTime(endsAt) }),
      ]),
      fact(c.t(pageWords, "where"), [venue.name, h.br(), `${venue.address}, ${venue.area}`]),
      fact(c.t(pageWords, "price"), [priceText(c, priceCents)]),
      fact(c.t(pageWords, "seats"), [
        isPast
          ? c.t(pageWords, "isOver")
          : c.isExport
          ? String(event.seats)
          : seatsLeftText(seats.left),
      ]),
    ),
    isOpen && going(c, event, { ...seats, isGoing, replaces: factsId }),
    ui.buttonLink(
      inNoLanguage(c, c.href("/events/{slug}/calendar.ics", { slug })),
      isOpen && ui.outline,
      ui.wide,
      h.download(`${slug}.ics`),
      ui.icon("calendar"),
      c.t(pageWords, "addToCalendar"),
    ),
  ];
  const feed = c.href("/api/events/{slug}/attendees", { slug });
  return h.aside(
    h.id(factsId),
    h.class("facts"),
    h.aria("label", c.t(pageWords, "facts")),
    isOpen ? h.div(ui.live(feed), known) : known,
  );
}

function fact(name: string, value: readonly (Node | string)[]): Node {
  return h.div(h.dt(name), h.dd(value));
}
