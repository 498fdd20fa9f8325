import type { EventTexts } from "../events/texts.ts";

/** A made-up event: the date follows from the day on which the database is made. */
export interface Sample {
  /** The title, from which the slug is made. */
  readonly title: string;
  /** One sentence for lists. */
  readonly summary: string;
  /** A paragraph for the event's own page. */
  readonly story: string;
  /** The same in other languages. */
  readonly texts: Readonly<Record<string, EventTexts>>;
  /** The slug of the venue. */
  readonly venue: string;
  /** The day of the week, 1 for Monday to 7 for Sunday. */
  readonly weekday: number;
  /** When it starts, on the clock of the city. */
  readonly time: string;
  /** How long it takes. */
  readonly minutes: number;
  /** The price of a seat; 0 is free. */
  readonly euros: number;
  /** How many people have room. */
  readonly seats: number;
  /** Whether it may lead the front page. */
  readonly isFeatured?: boolean;
}
