import { type CityEvent, seatsLeft } from "./city_event.ts";
import { formatCount } from "./format.ts";

/** What an event's page says about its seats, and what the stream sends when that changes. */
export interface SeatFacts {
  /** How many people are going. */
  readonly going: number;
  /** How many seats are left, in words. */
  readonly left: string;
}

/** Tells about the seats of an event. */
export function seatFacts(event: CityEvent): SeatFacts {
  const left = seatsLeft(event);
  return {
    going: event.taken,
    left: left === 0 ? "Sold out" : `${left} of ${formatCount(event.seats, "seat")} left`,
  };
}
