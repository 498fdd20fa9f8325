import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { formatOf } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { deskWords } from "@/lib/desk_words.ts";
import type { VenueSummary } from "@/lib/events/store.ts";

/** Renders figures of the upcoming events: totals, seats by venue, and the share of taken seats. */
export function deskFigures(c: Ctx, venues: readonly VenueSummary[]): readonly Node[] {
  const { number } = formatOf(c.language);
  const open = venues.filter(({ events }) => events > 0);
  const sum = (key: "events" | "taken" | "seats"): number =>
    open.reduce((all, venue) => all + venue[key], 0);
  const [taken, seats, events] = [sum("taken"), sum("seats"), sum("events")];
  if (open.length === 0) return [];
  const percent = (part: number): string =>
    number(part / Math.max(1, seats), { style: "percent", maximumFractionDigits: 0 });
  const each = (words: "seatsEach" | "eventsEach", average: number): string =>
    c.t(deskWords, words, { count: Math.round(average) });
  const [byVenue, all] = [c.t(deskWords, "seatsByVenue"), c.t(deskWords, "seats")];
  return [
    ui.grid(
      ui.small,
      ui.card(
        ui.stat(c.t(deskWords, "events"), number(events), h.p(each("seatsEach", seats / events))),
      ),
      ui.card(ui.stat(c.t(deskWords, "seatsTaken"), number(taken), h.p(percent(taken)))),
      ui.card(
        ui.stat(c.t(deskWords, "seatsFree"), number(seats - taken), h.p(percent(seats - taken))),
      ),
      ui.card(
        ui.stat(
          c.t(deskWords, "venues"),
          number(open.length),
          h.p(each("eventsEach", events / open.length)),
        ),
      ),
    ),
    ui.split(
      ui.card(
        ui.cardHeader(h.h2(byVenue)),
        ui.barChart({
          title: byVenue,
          labels: open.map(({ venue }) => venue.name),
          stacked: true,
          series: [
            { name: c.t(deskWords, "seatsTaken"), values: open.map((each) => each.taken) },
            {
              name: c.t(deskWords, "seatsFree"),
              values: open.map((each) => each.seats - each.taken),
            },
          ],
        }, ui.hiddenCaption),
      ),
      ui.card(
        ui.cardHeader(h.h2(all)),
        ui.donutChart({
          title: all,
          parts: [
            { label: c.t(deskWords, "seatsTaken"), value: taken },
            { label: c.t(deskWords, "seatsFree"), value: seats - taken },
          ],
        }, ui.hiddenCaption),
      ),
    ),
  ];
}
