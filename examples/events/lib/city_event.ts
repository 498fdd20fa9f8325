import type { Category } from "./categories.ts";
import type { EventTexts } from "./events/texts.ts";

/** Where an event takes place. */
export interface Venue {
  readonly slug: string;
  readonly name: string;
  readonly address: string;
  /** The part of the city. */
  readonly area: string;
  /** How to get there and how to get in. */
  readonly note: string;
  /** The note in other languages, by tag; `undefined` where there are none. */
  readonly notes: Readonly<Record<string, string>> | undefined;
}

/** A picture that an organiser has uploaded. */
export interface Photo {
  /** The name of the file in the folder of the pictures. */
  readonly file: string;
  /** The media type that the content shows. */
  readonly type: string;
  /** A short text that no other picture of the event ever had: the `v` of its URL. */
  readonly version: string;
}

/** One event. Dates are texts such as `2026-05-14T19:30`, on the clocks of the city. */
export interface CityEvent {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  /** One sentence. */
  readonly summary: string;
  /** A paragraph. */
  readonly story: string;
  /** The same in other languages, by tag; `undefined` where there are none. */
  readonly translations: Readonly<Record<string, EventTexts>> | undefined;
  readonly category: Category;
  readonly venue: Venue;
  readonly startsAt: string;
  readonly endsAt: string;
  /** The price of a seat in cents; 0 is free. */
  readonly priceCents: number;
  readonly seats: number;
  /** How many seats are spoken for. */
  readonly taken: number;
  /** The uploaded picture; without one the cover is drawn. */
  readonly photo: Photo | undefined;
}

/** The day on which an event starts. */
export function dayOf(event: CityEvent): Temporal.PlainDate {
  return Temporal.PlainDate.from(event.startsAt.slice(0, 10));
}

/** How many seats are left. */
export function seatsLeft(event: CityEvent): number {
  return Math.max(0, event.seats - event.taken);
}
