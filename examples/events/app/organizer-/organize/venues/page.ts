import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Store } from "@/lib/event_store.ts";
import { formatCount } from "@/lib/format.ts";
import { seatMeter } from "@/views/seat_meter.ts";

/** GET /organize/venues */
export function Page(c: Ctx): Node {
  c.title = "Venues";
  const venues = use(c, Store).summarizeVenues();
  return ui.stack(
    ui.pageHeader("Venues", h.p(formatCount(venues.length, "room"))),
    ui.grid(h.map(venues, ({ venue, events, taken, seats }) =>
      ui.card(
        ui.cardHeader(h.h2(venue.name), h.p(`${venue.address}, ${venue.area}`)),
        ui.cardFooter(
          h.p(formatCount(events, "event"), " to come"),
          seatMeter({ taken, seats, label: `Seats taken at ${venue.name}` }),
        ),
      ))),
  );
}
