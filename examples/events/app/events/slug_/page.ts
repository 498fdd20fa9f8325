import {
  type Application,
  type Ctx,
  type FlashKind,
  type Node,
  type PathParams,
  type Result,
  struct,
  text,
  use,
} from "@fw/fw";
import * as h from "@fw/fw/h";
import { checkAddress, mail } from "@fw/fw/mail";
import * as ui from "@fw/fw/ui";
import { Guests } from "@/lib/attendance.ts";
import { Database } from "@/lib/database.ts";
import { confirmation } from "@/lib/guest_mails.ts";
import { categoryText } from "@/lib/messages.ts";
import type { CityEvent } from "@/lib/city_event.ts";
import { anyEvent } from "@/lib/events/query.ts";
import { findEvent } from "@/lib/events/saving.ts";
import { noteOf, textsOf } from "@/lib/events/texts.ts";
import { Store } from "@/lib/events/store.ts";
import { publishSeats } from "@/lib/live_feed.ts";
import { Description } from "@/lib/page_meta.ts";
import { rememberVisitor, visitorOf } from "@/lib/visitor.ts";
import { cover, eventCard, langOf } from "@/views/event_card.ts";
import { eventFacts, isOver } from "@/views/event_facts.ts";
import { eventUrl, listUrl } from "@/views/links.ts";
import { pageWords } from "@/lib/page_words.ts";

/** Returns the events with a page in a static export: the upcoming ones. */
export async function Paths(app: Application): Promise<PathParams[]> {
  const { events } = await use(app, Store).find({ ...anyEvent, perPage: maxListed });
  return events.map(({ slug }) => ({ slug }));
}

const maxListed = 1_000;

/** GET /events/{slug} */
export async function Page(c: Ctx<"/events/{slug}">): Promise<Node> {
  const store = use(c, Store);
  const event = await findEvent(c, c.param("slug"));
  const { title, summary, story } = textsOf(c, event);
  const note = noteOf(c, event.venue);
  c.title = title;
  c.set(Description, summary);
  return h.fragment(
    h.article(
      h.class("event"),
      heading(c, event),
      cover(c, event, h.loading("eager")),
      h.div(
        h.class("event-body"),
        await eventFacts(c, event, { visitor: visitorOf(c) }),
        h.div(
          h.class("story"),
          h.div(langOf(c, event), paragraphs(story)),
          h.h2(c.t(pageWords, "aboutVenue", { venue: event.venue.name })),
          h.p(note.language && h.lang(note.language), note.text),
          !c.isExport && paperLinks(c, event),
        ),
      ),
    ),
    similar(c, event, await store.findSimilar(event, 3)),
  );
}

/** The forms of `views/going.ts`: take a seat, give it back, and enter an email address. */
export const Actions = { join, leave, remind };

function join(c: Ctx<"/events/{slug}">): Promise<Result> {
  return answer(c, { isJoining: true });
}

function leave(c: Ctx<"/events/{slug}">): Promise<Result> {
  return answer(c, { isJoining: false });
}

const Contact = struct({ email: text("required,email,max=200") });

/** Sends the confirmation to a visitor with a seat and registers the address for later emails. */
async function remind(c: Ctx<"/events/{slug}">): Promise<Result> {
  const event = await findEvent(c, c.param("slug"));
  const visitor = visitorOf(c);
  const input = await c.tryBind(Contact);
  const email = input.ok ? toAddress(input.value.email) : undefined;
  const isMailed = email !== undefined && visitor !== undefined && !isOver(c, event) &&
    await use(c, Database).tx(async () => {
      const guest = { email, language: c.language };
      const hasSeat = await use(c, Guests).mailTo(event, visitor, guest);
      if (hasSeat) await mail(c, confirmation(c.app, event, guest));
      return hasSeat;
    });
  if (isMailed) c.flash("success", c.t(pageWords, "mailed", { email }));
  else c.flash("error", c.t(pageWords, email === undefined ? "notMailed" : "hadNone"));
  if (c.fragment === undefined) return c.redirect(eventUrl(c, event));
  return await eventFacts(c, event, { visitor });
}

/** Returns the address in the form for emails; `undefined` if it is invalid. */
function toAddress(text: string): string | undefined {
  try {
    return checkAddress(text);
  } catch {
    return undefined;
  }
}

async function answer(
  c: Ctx<"/events/{slug}">,
  { isJoining }: { readonly isJoining: boolean },
): Promise<Result> {
  const event = await findEvent(c, c.param("slug"));
  const change = isOver(c, event) ? undefined : { visitor: rememberVisitor(c), isJoining };
  const [kind, text] = change === undefined
    ? ["error", c.t(pageWords, "over")] as const
    : await changeSeat(c, event, change);
  c.flash(kind, text);
  if (c.fragment === undefined) return c.redirect(eventUrl(c, event));
  // With JavaScript, the response has only the facts, next to the message.
  return await eventFacts(c, await findEvent(c, event.slug), { visitor: change?.visitor });
}

async function changeSeat(
  c: Ctx,
  event: CityEvent,
  { visitor, isJoining }: { readonly visitor: string; readonly isJoining: boolean },
): Promise<[FlashKind, string]> {
  const guests = use(c, Guests);
  const outcome = isJoining
    ? await guests.join(event, visitor)
    : await guests.leave(event, visitor) && "left";
  if (outcome === "going" || outcome === "left") await publishSeats(c, event.id);
  switch (outcome) {
    case "going":
      return ["success", c.t(pageWords, "joined")];
    case "already":
      return ["info", c.t(pageWords, "already")];
    case "full":
      return ["error", c.t(pageWords, "full")];
    case "left":
      return ["success", c.t(pageWords, "left")];
    case false:
      return ["info", c.t(pageWords, "hadNone")];
  }
}

/** Renders the story, in which an empty line starts a new paragraph. */
function paragraphs(story: string): readonly Node[] {
  return story.split(/\n\s*\n/).map((paragraph) => h.p(paragraph));
}

/** Renders the links to the printable programme and the invitation. */
function paperLinks(c: Ctx, { slug }: CityEvent): Node {
  return h.p(
    h.a(h.href(c.href("/events/{slug}/programme", { slug })), c.t(pageWords, "programme")),
    " · ",
    h.a(h.href(c.href("/events/{slug}/invitation.txt", { slug })), c.t(pageWords, "invitation")),
  );
}

function heading(c: Ctx, event: CityEvent): Node {
  const { category } = event;
  const { title, summary } = textsOf(c, event);
  const language = langOf(c, event);
  return h.header(
    h.class("page-head"),
    ui.breadcrumb([
      { text: c.t(pageWords, "eventsLink"), href: c.href("/events") },
      // A static export has a single list of all events.
      ...(c.isExport ? [] : [{ text: categoryText(c, category), href: listUrl(c, { category }) }]),
      { text: title },
    ]),
    h.h1(language, title),
    h.p(h.class("lead"), language, summary),
  );
}

function similar(
  c: Ctx,
  event: CityEvent,
  events: readonly CityEvent[],
): Node | undefined {
  if (events.length === 0) return undefined;
  return h.section(
    h.class("shelf"),
    h.div(
      h.class("shelf-head"),
      h.h2(c.t(pageWords, "moreLike", { category: categoryText(c, event.category).toLowerCase() })),
    ),
    h.div(h.class("cards"), h.map(events, (other) => eventCard(c, other))),
  );
}
