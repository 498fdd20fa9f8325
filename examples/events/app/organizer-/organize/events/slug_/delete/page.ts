import { csrfInput, type Ctx, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { deleteEvent, findEvent } from "@/lib/event_saving.ts";
import { formatCount, formatDate, formatTime } from "@/lib/format.ts";
import { cover } from "@/views/event_card.ts";

/** GET /organize/events/{slug}/delete: asks before the event is gone. */
export function Page(c: Ctx): Node {
  const event = findEvent(c, c.param("slug"));
  c.title = `Delete ${event.title}`;
  return h.fragment(
    h.header(h.class("desk-head"), h.h1("Delete this event?")),
    h.div(
      h.class("confirm"),
      cover(c, event),
      h.div(
        h.class("confirm-text"),
        h.h2(event.title),
        h.p(
          h.class("meta"),
          `${formatDate(dayOf(event))}, ${formatTime(event.startsAt)} · ${event.venue.name}`,
        ),
        h.p(consequence(event)),
        h.form(
          h.class("form-end"),
          h.method("post"),
          csrfInput(c),
          h.button(h.class("danger"), h.type("submit"), "Delete it for good"),
          h.a(h.href(c.href("/organize/events/{slug}/edit", { slug: event.slug })), "Keep it"),
        ),
      ),
    ),
  );
}

/** POST /organize/events/{slug}/delete */
export async function POST(c: Ctx): Promise<Response> {
  const event = findEvent(c, c.param("slug"));
  await deleteEvent(c, event);
  c.flash("success", `“${event.title}” is deleted.`);
  return c.redirect(c.href("/organize"));
}

function consequence({ taken, photo }: CityEvent): string {
  const what = photo === undefined ? "Its page goes" : "Its page and its picture go";
  const who = taken === 0
    ? "Nobody has taken a seat yet."
    : `${formatCount(taken, "seat")} ${
      taken === 1 ? "is" : "are"
    } taken, and nobody who holds one is told.`;
  return `${what} away at once and cannot be brought back. ${who}`;
}
