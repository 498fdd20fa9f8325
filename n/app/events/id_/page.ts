import { type Ctx, int, type Node, use } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { eventLabels, eventMessages } from "@/lib/event_messages.ts";
import { Events, eventTitle } from "@/lib/events.ts";

/** GET /events/{id} */
export async function Page(c: Ctx<"/events/{id}">): Promise<Node> {
  const row = await use(c, Events).get(c.param("id", int()));
  const beside = await use(c, Events).neighbours(row.id);
  c.title = eventTitle(row);
  const known = ui.card(
    ui.cardHeader(h.h2(c.t(eventMessages, "row"))),
    ui.fieldDetails({
      seats: row.seats,
    }, (name) => c.t(eventLabels, name)),
  );
  return ui.detailPage(
    c,
    {
      title: c.title,
      text: `#${row.id}`,
      edit: c.href("/events/{id}/edit", { id: row.id }),
      remove: {
        href: c.href("/events/{id}/delete", { id: row.id }),
        title: c.t(eventMessages, "deleteTitle", { title: c.title }),
      },
      beside: beside.map((id) => id === undefined ? undefined : c.href("/events/{id}", { id })),
      known,
    },
  );
}
