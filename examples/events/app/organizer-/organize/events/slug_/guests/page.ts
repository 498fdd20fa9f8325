import { type Ctx, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { Guests } from "@/lib/attendance.ts";
import { deskWords } from "@/lib/desk_words.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { startTime } from "@/views/event_card.ts";
import { guestList, seatsTaken } from "@/views/guests.ts";
import { eventUrl } from "@/views/links.ts";

/** GET /organize/events/{slug}/guests */
export async function Page(c: Ctx<"/organize/events/{slug}/guests">): Promise<Node> {
  const event = await findEvent(c, c.param("slug"));
  c.title = c.t(deskWords, "guestsOf", { title: textsOf(c, event).title });
  const feed = c.href("/organize/events/{slug}/guests/feed", { slug: event.slug });
  return ui.stack(
    ui.live(feed),
    ui.pageHeader(
      c.title,
      h.p(startTime(c, event), " · ", event.venue.name),
      ui.buttonLink(eventUrl(c, event), ui.outline, ui.icon("eye"), c.t(deskWords, "seePage")),
    ),
    ui.card(
      ui.cardHeader(h.h2(c.t(deskWords, "seatsTaken")), h.p(c.t(deskWords, "guestsHelp"))),
      h.div(seatsTaken(c, event)),
      h.div(
        h.class("no-guests"),
        ui.emptyState(
          c.t(deskWords, "noGuests"),
          ui.icon("users"),
          h.p(c.t(deskWords, "firstGuest")),
        ),
      ),
      guestList(c, await use(c, Guests).list(event)),
    ),
  );
}
