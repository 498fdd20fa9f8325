import { type Ctx, int, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { eventMessages } from "@/lib/event_messages.ts";
import { EventInput, Events } from "@/lib/events.ts";
import { eventForm } from "@/views/event_form.ts";

/** GET /events/{id}/edit */
export async function Page(c: Ctx<"/events/{id}/edit">): Promise<Node> {
  return await eventForm(c, await use(c, Events).get(c.param("id", int())));
}

/** POST /events/{id}/edit */
export async function POST(c: Ctx<"/events/{id}/edit">): Promise<Result> {
  const row = await use(c, Events).get(c.param("id", int()));
  const input = await c.tryBind(EventInput);
  const isKept = input.ok && await keep(
    input.errors,
    use(c, Events).change(row.id, input.value),
  );
  if (!isKept) {
    c.status(422);
    return await eventForm(c, row, input);
  }
  c.flash("success", c.t(eventMessages, "changed"));
  return c.redirect(c.href("/events/{id}", { id: row.id }));
}
