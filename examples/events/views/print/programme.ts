import { type Ctx, type Node, use } from "@fw/fw";
import { must, node, text } from "@fw/fw/tmpl";
import { type CityEvent, dayOf } from "@/lib/city_event.ts";
import { Store } from "@/lib/events/store.ts";
import { textsOf } from "@/lib/events/texts.ts";
import { formatTime } from "@/lib/format.ts";
import { dateText, priceText, shortDateText } from "@/lib/messages.ts";
import { pageWords } from "@/lib/page_words.ts";
import { eventUrl } from "../links.ts";
import invitationText from "./invitation.txt" with { type: "text" };
import programmeText from "./programme.gohtml" with { type: "text" };

const views = must({ "programme.gohtml": programmeText, "invitation.txt": invitationText });

/** A fact about an event. */
export interface Fact {
  readonly name: string;
  readonly value: string;
}

/** The data of the templates. */
export interface Programme {
  /** The tag of its language. */
  readonly language: string;
  /** The fixed texts of the templates. */
  readonly words: {
    readonly title: string;
    readonly back: string;
    readonly similar: string;
    readonly invited: string;
    readonly going: string;
  };
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

/** Renders the printable programme of an event from a designer's template. */
export async function programme(c: Ctx, event: CityEvent): Promise<Node> {
  const data: Programme = await programmeOf(c, event);
  return node(views, "programme.gohtml", data, { nonce: c.nonce });
}

/** Renders the invitation to an event, as text for an email. */
export async function invitation(c: Ctx, event: CityEvent): Promise<string> {
  const data: Programme = await programmeOf(c, event);
  return text(views, "invitation.txt", data);
}

async function programmeOf(c: Ctx, event: CityEvent): Promise<Programme> {
  const { venue, startsAt, endsAt, priceCents } = event;
  const { title, summary, story } = textsOf(c, event);
  const similar = await use(c, Store).findSimilar(event, 3);
  const url = new URL(eventUrl(c, event), c.url).href;
  return {
    language: c.language,
    words: {
      title: c.t(pageWords, "printTitle", { title }),
      back: c.t(pageWords, "backToEvent"),
      similar: c.t(pageWords, "alsoWorth"),
      invited: c.t(pageWords, "invited", { title }),
      going: c.t(pageWords, "sayGoing", { url }),
    },
    title,
    summary,
    url,
    accent: "#b4552d",
    facts: [
      {
        name: c.t(pageWords, "when"),
        value: c.t(pageWords, "onDay", {
          date: dateText(c, dayOf(event)),
          from: formatTime(startsAt),
          to: formatTime(endsAt),
        }),
      },
      { name: c.t(pageWords, "where"), value: `${venue.name}, ${venue.address}, ${venue.area}` },
      { name: c.t(pageWords, "price"), value: priceText(c, priceCents) },
    ],
    story: story.split(/\n\s*\n/),
    similar: similar.map((other) => ({
      title: textsOf(c, other).title,
      when: shortDateText(c, dayOf(other)),
    })),
  };
}
