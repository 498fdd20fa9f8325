import { type Channel, channel, type Ctx, publish } from "@fw/fw";

/** Tells open pages that the seats of an event have changed, or that it is gone. */
export function seatsOf(eventId: number): Channel<void> {
  return channel(`seats:${eventId}`);
}

/** Tells open schedules that the seats of some event have changed. */
export const anySeats: Channel<void> = channel("seats");

/** Tells every open page that shows the seats of an event. */
export async function publishSeats(c: Ctx, eventId: number): Promise<void> {
  await publish(c, seatsOf(eventId));
  await publish(c, anySeats);
}
