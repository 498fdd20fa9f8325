import { type Ctx, FieldErrors, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import * as ui from "@fw/fw/ui";
import { eventMessages } from "@/lib/event_messages.ts";
import { Events, eventTitle } from "@/lib/events.ts";

/** GET /events/{id}/delete */
export async function Page(c: Ctx<"/events/{id}/delete">): Promise<Node> {
  const row = await use(c, Events).get(c.param("id", int()));
  c.title = c.t(eventMessages, "deleteTitle", { title: eventTitle(row) });
  return ui.askPage(c, { title: c.title, cancel: c.href("/events/{id}", { id: row.id }) });
}

/** POST /events/{id}/delete */
export async function POST(c: Ctx<"/events/{id}/delete">): Promise<Result> {
  const id = c.param("id", int());
  // Another row may refer to it.
  if (!await keep(new FieldErrors(), use(c, Events).remove(id))) {
    c.flash("error", c.t(eventMessages, "inUse"));
    return c.redirect(c.href("/events/{id}", { id }));
  }
  c.flash("success", c.t(eventMessages, "deleted"));
  return c.redirect(c.href("/events"));
}
