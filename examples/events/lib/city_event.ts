import type { Category } from "./categories.ts";
import type { EventTexts } from "./events/texts.ts";

/** The venue of an event. */
export interface Venue {
  readonly slug: string;
  readonly name: string;
  readonly address: string;
  /** The district. */
  readonly area: string;
  /** Directions and access. */
  readonly note: string;
  /** The note in other languages, by tag; `undefined` if there are none. */
  readonly notes: Readonly<Record<string, string>> | undefined;
}

/** An uploaded image. */
export interface Photo {
  /** The name of the file in the image folder. */
  readonly file: string;
  /** The media type detected from the content. */
  readonly type: string;
  /** A short text, unique among all images of the event: the `v` of its URL. */
  readonly version: string;
}

/** An event. Dates are texts such as `2026-05-14T19:30`, in the city's local time. */
export interface CityEvent {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** A paragraph. */
  readonly story: string;
  /** The texts in other languages, by tag; `undefined` if there are none. */
  readonly translations: Readonly<Record<string, EventTexts>> | undefined;
  readonly category: Category;
  readonly venue: Venue;
  readonly startsAt: string;
  readonly endsAt: string;
  /** The price of a seat in cents; 0 is free. */
  readonly priceCents: number;
  readonly seats: number;
  /** The number of taken seats. */
  readonly taken: number;
  /** The uploaded image; without one, the cover is drawn. */
  readonly photo: Photo | undefined;
}

/** Returns the day on which an event starts. */
export function dayOf(event: CityEvent): Temporal.PlainDate {
  return Temporal.PlainDate.from(event.startsAt.slice(0, 10));
}

/** Returns the number of free seats. */
export function seatsLeft(event: CityEvent): number {
  return Math.max(0, event.seats - event.taken);
}
