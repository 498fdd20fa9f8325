import type { Bound, Ctx, Node, Result } from "@fw/fw";
import { type EventForm, readEventForm } from "@/lib/events/form.ts";
import { saveEvent } from "@/lib/events/saving.ts";
import { eventForm } from "@/views/event_form.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/events/new */
export function Page(c: Ctx): Node {
  return render(c);
}

/** POST /organize/events/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await readEventForm(c);
  const slug = await saveEvent(c, input);
  if (slug === undefined) {
    c.status(422);
    return render(c, input.bound);
  }
  c.flash("success", c.t(deskWords, "added", { title: input.bound.text("title").trim() }));
  return c.redirect(c.href("/events/{slug}", { slug }));
}

function render(c: Ctx, sent?: Bound<EventForm>): Node {
  c.title = c.t(deskWords, "newEvent");
  return eventForm(c, {
    heading: c.t(deskWords, "newEvent"),
    action: c.href("/organize/events/new"),
    submit: c.t(deskWords, "put"),
    sent,
  });
}
