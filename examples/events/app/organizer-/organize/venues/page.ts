import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import { Store } from "@/lib/event_store.ts";
import { formatCount } from "@/lib/format.ts";
import { seatMeter } from "@/views/seat_meter.ts";

/** GET /organize/venues */
export function Page(c: Ctx): Node {
  c.title = "Venues";
  const venues = use(c, Store).summarizeVenues();
  return h.fragment(
    h.header(h.class("desk-head"), h.h1("Venues"), h.p(formatCount(venues.length, "room"))),
    h.ul(
      h.class("venue-cards"),
      h.map(venues, ({ venue, events, taken, seats }) =>
        h.li(
          h.h2(venue.name),
          h.p(h.class("meta"), `${venue.address}, ${venue.area}`),
          h.p(h.class("venue-events"), formatCount(events, "event"), " to come"),
          seatMeter({ taken, seats, label: `Seats taken at ${venue.name}` }),
        )),
    ),
  );
}
