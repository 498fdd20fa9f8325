import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { dayOf } from "@/lib/city_event.ts";
import { deleteEvent, findEvent } from "@/lib/event_saving.ts";
import { formatDate, formatTime } from "@/lib/format.ts";
import { deleteConsequence, deleteForm, deleteQuestion } from "@/views/delete_event.ts";
import { cover } from "@/views/event_card.ts";

/** GET /organize/events/{slug}/delete: asks before the event is gone, where no dialog does. */
export function Page(c: Ctx<"/organize/events/{slug}/delete">): Node {
  const event = findEvent(c, c.param("slug"));
  const { slug, title, startsAt, venue } = event;
  c.title = `Delete ${title}`;
  return ui.stack(
    ui.pageHeader(deleteQuestion),
    ui.card(
      h.class("question"),
      cover(c, event),
      ui.stack(
        ui.cardHeader(
          h.h2(title),
          h.p(`${formatDate(dayOf(event))}, ${formatTime(startsAt)} · ${venue.name}`),
        ),
        h.p(deleteConsequence(event)),
        deleteForm(
          c,
          event,
          ui.buttonLink(c.href("/organize/events/{slug}/edit", { slug }), ui.outline, "Keep it"),
        ),
      ),
    ),
  );
}

/** POST /organize/events/{slug}/delete */
export async function POST(c: Ctx<"/organize/events/{slug}/delete">): Promise<Response> {
  const event = findEvent(c, c.param("slug"));
  await deleteEvent(c, event);
  c.flash("success", `“${event.title}” is deleted.`);
  return c.redirect(c.href("/organize"));
}
