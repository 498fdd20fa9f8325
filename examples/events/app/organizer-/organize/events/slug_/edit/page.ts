import { type Bound, type Ctx, type Node, type Result, use } from "@fw/fw";
import type { CityEvent } from "@/lib/city_event.ts";
import { Desk } from "@/lib/events/desk.ts";
import { type EventForm, readEventForm } from "@/lib/events/form.ts";
import { findEvent, saveEvent } from "@/lib/events/saving.ts";
import { eventForm } from "@/views/event_form.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/events/{slug}/edit */
export async function Page(c: Ctx<"/organize/events/{slug}/edit">): Promise<Node> {
  const event = await findEvent(c, c.param("slug"));
  return await render(c, event);
}

/** POST /organize/events/{slug}/edit */
export async function POST(c: Ctx<"/organize/events/{slug}/edit">): Promise<Result> {
  const event = await findEvent(c, c.param("slug"));
  const input = await readEventForm(c);
  const slug = await saveEvent(c, input, event.slug);
  if (slug === undefined) {
    c.status(422);
    return await render(c, event, input.bound);
  }
  c.flash("success", c.t(deskWords, "saved"));
  return c.redirect(c.href("/events/{slug}", { slug }));
}

async function render(c: Ctx, event: CityEvent, sent?: Bound<EventForm>): Promise<Node> {
  c.title = c.t(deskWords, "editTitle", { title: event.title });
  return eventForm(c, {
    heading: c.t(deskWords, "editEvent"),
    action: c.href("/organize/events/{slug}/edit", { slug: event.slug }),
    submit: c.t(deskWords, "save"),
    event,
    sent,
    venues: await use(c, Desk).listVenues(),
  });
}
