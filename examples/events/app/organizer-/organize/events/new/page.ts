import type { Ctx, Node, Result } from "@fw/fw";
import { readEventForm } from "@/lib/event_form.ts";
import { saveEvent } from "@/lib/event_saving.ts";
import { emptyForm, eventForm, type EventFormState, sentForm } from "@/views/event_form.ts";

/** GET /organize/events/new */
export function Page(c: Ctx): Node {
  return render(c, emptyForm);
}

/** POST /organize/events/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await readEventForm(c);
  const slug = await saveEvent(c, input);
  if (slug === undefined) {
    c.status(422);
    return render(c, sentForm(input));
  }
  c.flash("success", `“${input.bound.text("title").trim()}” is on the schedule.`);
  return c.redirect(c.href("/events/{slug}", { slug }));
}

function render(c: Ctx, state: EventFormState): Node {
  c.title = "New event";
  return eventForm(c, state, {
    heading: "New event",
    action: c.href("/organize/events/new"),
    submit: "Put it on the schedule",
  });
}
