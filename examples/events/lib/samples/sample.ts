import type { EventTexts } from "../events/texts.ts";

/** A fictional event, whose date depends on the day on which the database is created. */
export interface Sample {
  /** The title, from which the slug is derived. */
  readonly title: string;
  /** One sentence for lists. */
  readonly summary: string;
  /** A paragraph for the event's page. */
  readonly story: string;
  /** The texts in other languages. */
  readonly texts: Readonly<Record<string, EventTexts>>;
  /** The slug of the venue. */
  readonly venue: string;
  /** The day of the week, 1 for Monday to 7 for Sunday. */
  readonly weekday: number;
  /** The local start time. */
  readonly time: string;
  /** The duration. */
  readonly minutes: number;
  /** The price of a seat; 0 is free. */
  readonly euros: number;
  /** The number of seats. */
  readonly seats: number;
  /** Whether it may be featured on the front page. */
  readonly isFeatured?: boolean;
}
