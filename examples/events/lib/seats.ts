import type { Ctx } from "@fw/fw";
import { type CityEvent, seatsLeft } from "./city_event.ts";
import { pageWords } from "./page_words.ts";

/** What an event's page says about its seats, and what the stream sends when that changes. */
export interface SeatFacts {
  /** How many people are going. */
  readonly going: number;
  /** How many seats are left, in words. */
  readonly left: string;
}

/** Tells about the seats of an event. */
export function seatFacts(c: Ctx, event: CityEvent): SeatFacts {
  const left = seatsLeft(event);
  return {
    going: event.taken,
    left: left === 0
      ? c.t(pageWords, "soldOut")
      : c.t(pageWords, "seatsLeft", { left: String(left), count: event.seats }),
  };
}
