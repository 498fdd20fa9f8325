import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { type CityEvent, seatsLeft } from "@/lib/city_event.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { formatTime } from "@/lib/format.ts";
import { categoryText, dayText, messages, monthText, priceText } from "@/lib/messages.ts";
import { cover, langOf } from "./event_card.ts";
import { eventUrl } from "./links.ts";

/** The number of free seats from which a list shows how few are left. */
const fewSeats = 10;

/** Renders events grouped by their first day. */
export function agenda(
  c: Ctx,
  events: readonly CityEvent[],
  options: { readonly today: Temporal.PlainDate },
): Node {
  const days = Map.groupBy(events, (event) => event.startsAt.slice(0, 10));
  return h.div(
    h.class("agenda"),
    h.map(days, ([day, list]) =>
      h.section(
        h.class("day"),
        h.aria("labelledby", `day-${day}`),
        dayHeading(c, Temporal.PlainDate.from(day), options.today),
        h.ol(h.map(list, (event) => agendaItem(c, event))),
      )),
  );
}

function dayHeading(c: Ctx, date: Temporal.PlainDate, today: Temporal.PlainDate): Node {
  return h.h2(
    h.id(`day-${date}`),
    h.span(h.class("day-name"), dayText(c, date, today), " "),
    h.span(h.class("day-number"), date.day, " "),
    h.span(h.class("day-month"), monthText(c, date)),
  );
}

function agendaItem(c: Ctx, event: CityEvent): Node {
  const { venue } = event;
  const { title, summary } = textsOf(c, event);
  const language = langOf(c, event);
  return h.li(
    h.class("item"),
    cover(c, event),
    h.div(
      h.class("item-text"),
      h.p(h.class("kicker"), categoryText(c, event.category)),
      h.h3(h.a(h.href(eventUrl(c, event)), title), language),
      h.p(h.class("item-summary"), language, summary),
      h.p(
        h.class("meta"),
        h.time(h.datetime(event.startsAt), formatTime(event.startsAt)),
        ` · ${venue.name}, ${venue.area}`,
      ),
    ),
    // In a static export, the number of seats would soon be wrong.
    h.p(h.class("item-price"), priceText(c, event.priceCents), !c.isExport && seatsNote(c, event)),
  );
}

function seatsNote(c: Ctx, event: CityEvent): Node | undefined {
  const left = seatsLeft(event);
  if (left > fewSeats) return undefined;
  return left === 0
    ? ui.badge(ui.secondary, c.t(messages, "soldOut"))
    : ui.badge(ui.warning, c.t(messages, "seatsLeft", { count: left }));
}
