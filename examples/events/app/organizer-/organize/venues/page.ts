import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Store } from "@/lib/events/store.ts";
import { seatMeter } from "@/views/seat_meter.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/venues */
export async function Page(c: Ctx): Promise<Node> {
  c.title = c.t(deskWords, "venues");
  const venues = await use(c, Store).summarizeVenues();
  return ui.stack(
    ui.pageHeader(c.title, h.p(c.t(deskWords, "rooms", { count: venues.length }))),
    ui.grid(h.map(venues, ({ venue, events, taken, seats }) =>
      ui.card(
        ui.cardHeader(h.h2(venue.name), h.p(`${venue.address}, ${venue.area}`)),
        ui.cardFooter(
          h.p(c.t(deskWords, "toCome", { count: events })),
          seatMeter(c, {
            taken,
            seats,
            label: c.t(deskWords, "seatsTakenAt", { venue: venue.name }),
          }),
        ),
      ))),
  );
}
