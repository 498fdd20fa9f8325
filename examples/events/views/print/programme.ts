import { type Ctx, type Node, use } from "@fw/fw";
import { must, node, text } from "@fw/fw/tmpl";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { Store } from "@/lib/event_store.ts";
import { formatDate, formatPrice, formatShortDate, formatTime } from "@/lib/format.ts";
import { eventUrl } from "../links.ts";
import invitationText from "./invitation.txt" with { type: "text" };
import programmeText from "./programme.gohtml" with { type: "text" };

const views = must({ "programme.gohtml": programmeText, "invitation.txt": invitationText });

/** One line of what is to know of an event. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** What the templates show of an event. */
export interface Programme {
  readonly title: string;
  readonly summary: string;
  /** The absolute URL of the event's page. */
  readonly url: string;
  /** The colour of the line below the title. */
  readonly accent: string;
  readonly facts: readonly Fact[];
  /** The paragraphs. */
  readonly story: readonly string[];
  readonly similar: readonly { readonly title: string; readonly when: string }[];
}

/** The programme of an event, to be printed: a designer's file. */
export function programme(c: Ctx, event: CityEvent): Node {
  const data: Programme = programmeOf(c, event);
  return node(views, "programme.gohtml", data, { nonce: c.nonce });
}

/** The invitation to an event, to be pasted into a mail. */
export function invitation(c: Ctx, event: CityEvent): string {
  const data: Programme = programmeOf(c, event);
  return text(views, "invitation.txt", data);
}

function programmeOf(c: Ctx, event: CityEvent): Programme {
  const { title, summary, venue, startsAt, endsAt, priceCents, story } = event;
  return {
    title,
    summary,
    url: new URL(eventUrl(c, event), c.url).href,
    accent: "#b4552d",
    facts: [
      {
        name: "When",
        value: `${formatDate(dayOf(event))}, ${formatTime(startsAt)} to ${formatTime(endsAt)}`,
      },
      { name: "Where", value: `${venue.name}, ${venue.address}, ${venue.area}` },
      { name: "Price", value: formatPrice(priceCents) },
    ],
    story: story.split(/\n\s*\n/),
    similar: use(c, Store).findSimilar(event, 3)
      .map((other) => ({ title: other.title, when: formatShortDate(dayOf(other)) })),
  };
}
