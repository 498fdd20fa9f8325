import type { Ctx } from "@fw/fw";
import type { Category } from "../categories.ts";
import { type CityEvent, seatsLeft } from "../city_event.ts";
import { toZoned } from "../clock.ts";
import { textsOf } from "./texts.ts";

/** An event in the API. Dates include their offset from UTC. */
export interface EventJson {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly story: string;
  readonly category: Category;
  readonly venue: { readonly name: string; readonly address: string; readonly area: string };
  readonly starts_at: string;
  readonly ends_at: string;
  readonly price: { readonly cents: number; readonly currency: "EUR" };
  readonly seats: number;
  readonly seats_left: number;
  /** The path of the event's page. */
  readonly url: string;
}

/** Converts an event to its API representation. */
export function toEventJson(c: Ctx, event: CityEvent): EventJson {
  const { slug, category, venue, seats } = event;
  const { title, summary, story } = textsOf(c, event);
  return {
    slug,
    title,
    summary,
    story,
    category,
    venue: { name: venue.name, address: venue.address, area: venue.area },
    starts_at: toOffsetText(event.startsAt),
    ends_at: toOffsetText(event.endsAt),
    price: { cents: event.priceCents, currency: "EUR" },
    seats,
    seats_left: seatsLeft(event),
    url: c.href("/events/{slug}", { slug }),
  };
}

function toOffsetText(localText: string): string {
  return toZoned(localText).toString({ timeZoneName: "never", smallestUnit: "second" });
}
