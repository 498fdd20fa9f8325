import { type Bound, type Ctx, type Node, type Result, use } from "@fw/fw";
import { Desk } from "@/lib/events/desk.ts";
import { type EventForm, readEventForm } from "@/lib/events/form.ts";
import { saveEvent } from "@/lib/events/saving.ts";
import { eventForm } from "@/views/event_form.ts";
import { deskWords } from "@/lib/desk_words.ts";

/** GET /organize/events/new */
export async function Page(c: Ctx): Promise<Node> {
  return await render(c);
}

/** POST /organize/events/new */
export async function POST(c: Ctx): Promise<Result> {
  const input = await readEventForm(c);
  const slug = await saveEvent(c, input);
  if (slug === undefined) {
    c.status(422);
    return await render(c, input.bound);
  }
  c.flash("success", c.t(deskWords, "added", { title: input.bound.text("title").trim() }));
  return c.redirect(c.href("/events/{slug}", { slug }));
}

async function render(c: Ctx, sent?: Bound<EventForm>): Promise<Node> {
  c.title = c.t(deskWords, "newEvent");
  return eventForm(c, {
    heading: c.t(deskWords, "newEvent"),
    action: c.href("/organize/events/new"),
    submit: c.t(deskWords, "put"),
    sent,
    venues: await use(c, Desk).listVenues(),
  });
}
