import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { dayOf } from "@/lib/city_event.ts";
import { deleteEvent, findEvent } from "@/lib/events/saving.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { formatTime } from "@/lib/format.ts";
import { dateText } from "@/lib/messages.ts";
import { deleteConsequence, deleteForm } from "@/views/delete_event.ts";
import { cover } from "@/views/event_card.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/events/{slug}/delete: asks for confirmation if no dialog does. */
export async function Page(c: Ctx<"/organize/events/{slug}/delete">): Promise<Node> {
  const event = await findEvent(c, c.param("slug"));
  const { slug, startsAt, venue } = event;
  const { title } = textsOf(c, event);
  c.title = c.t(deskWords, "deleteTitle", { title });
  return ui.stack(
    ui.pageHeader(c.t(deskWords, "question")),
    ui.card(
      h.class("question"),
      cover(c, event),
      ui.stack(
        ui.cardHeader(
          h.h2(title),
          h.p(`${dateText(c, dayOf(event))}, ${formatTime(startsAt)} · ${venue.name}`),
        ),
        h.p(deleteConsequence(c, event)),
        deleteForm(
          c,
          event,
          ui.buttonLink(
            c.href("/organize/events/{slug}/edit", { slug }),
            ui.outline,
            c.t(deskWords, "keep"),
          ),
        ),
      ),
    ),
  );
}

/** POST /organize/events/{slug}/delete */
export async function POST(c: Ctx<"/organize/events/{slug}/delete">): Promise<Response> {
  const event = await findEvent(c, c.param("slug"));
  await deleteEvent(c, event);
  c.flash("success", c.t(deskWords, "deleted", { title: textsOf(c, event).title }));
  return c.redirect(c.href("/organize"));
}
