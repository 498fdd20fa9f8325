import { type Ctx, type Node, type Result, use } from "@fw/fw";
import { keep } from "@fw/fw/data";
import { eventMessages } from "@/lib/event_messages.ts";
import { EventInput, Events } from "@/lib/events.ts";
import { eventForm } from "@/views/event_form.ts";

/** GET /events/new */
export async function Page(c: Ctx): Promise<Node> {
  return await eventForm(c);
}

/** POST /events/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await c.tryBind(EventInput);
  const row = input.ok && await keep(
    input.errors,
    use(c, Events).add(input.value),
  );
  if (!row) {
    c.status(422);
    return await eventForm(c, undefined, input);
  }
  c.flash("success", c.t(eventMessages, "created"));
  return c.redirect(c.href("/events/{id}", { id: row.id }));
}
