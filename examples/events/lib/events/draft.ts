import type { Category } from "../categories.ts";

/** An organiser's input for an event. Dates are texts such as `2026-05-14T19:30`. */
export interface EventDraft {
  readonly title: string;
  readonly summary: string;
  readonly story: string;
  readonly category: Category;
  /** The slug of the venue. */
  readonly venue: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly priceCents: number;
  readonly seats: number;
}
