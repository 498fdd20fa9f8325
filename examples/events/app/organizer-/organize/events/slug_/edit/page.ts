import type { Bound, Ctx, Node, Result } from "@fw/fw";
import type { CityEvent } from "@/lib/city_event.ts";
import { type EventForm, readEventForm } from "@/lib/events/form.ts";
import { findEvent, saveEvent } from "@/lib/events/saving.ts";
import { eventForm } from "@/views/event_form.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/events/{slug}/edit */
export function Page(c: Ctx<"/organize/events/{slug}/edit">): Node {
  const event = findEvent(c, c.param("slug"));
  return render(c, event);
}

/** POST /organize/events/{slug}/edit */
export async function POST(c: Ctx<"/organize/events/{slug}/edit">): Promise<Result> {
  const event = findEvent(c, c.param("slug"));
  const input = await readEventForm(c);
  const slug = await saveEvent(c, input, event.slug);
  if (slug === undefined) {
    c.status(422);
    return render(c, event, input.bound);
  }
  c.flash("success", c.t(deskWords, "saved"));
  return c.redirect(c.href("/events/{slug}", { slug }));
}

function render(c: Ctx, event: CityEvent, sent?: Bound<EventForm>): Node {
  c.title = c.t(deskWords, "editTitle", { title: event.title });
  return eventForm(c, {
    heading: c.t(deskWords, "editEvent"),
    action: c.href("/organize/events/{slug}/edit", { slug: event.slug }),
    submit: c.t(deskWords, "save"),
    event,
    sent,
  });
}
