import type { Ctx } from "@fw/fw";
import { type CityEvent, seatsLeft } from "./city_event.ts";
import { pageWords } from "./page_words.ts";

/** The seats of an event on its page, which the stream sends again after a change. */
export interface SeatFacts {
  /** The number of guests. */
  readonly going: number;
  /** The number of free seats, in words. */
  readonly left: string;
}

/** Returns the seats of an event. */
export function seatFacts(c: Ctx, event: CityEvent): SeatFacts {
  const left = seatsLeft(event);
  return {
    going: event.taken,
    left: left === 0
      ? c.t(pageWords, "soldOut")
      : c.t(pageWords, "seatsLeft", { left: String(left), count: event.seats }),
  };
}
