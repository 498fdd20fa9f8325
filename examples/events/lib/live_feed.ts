import { type Channel, channel } from "@fw/fw";

/** Tells open pages that the seats of an event have changed, or that it is gone. */
export function seatsOf(eventId: number): Channel<void> {
  return channel(`seats:${eventId}`);
}
