import type { Ctx, Node, Result } from "@fw/fw";
import { readEventForm } from "@/lib/events/form.ts";
import { saveEvent } from "@/lib/events/saving.ts";
import { emptyForm, eventForm, type EventFormState, sentForm } from "@/views/event_form.ts";
import { deskWords } from "@/lib/desk_words.ts";

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
  c.flash("success", c.t(deskWords, "added", { title: input.bound.text("title").trim() }));
  return c.redirect(c.href("/events/{slug}", { slug }));
}

function render(c: Ctx, state: EventFormState): Node {
  c.title = c.t(deskWords, "newEvent");
  return eventForm(c, state, {
    heading: c.t(deskWords, "newEvent"),
    action: c.href("/organize/events/new"),
    submit: c.t(deskWords, "put"),
  });
}
