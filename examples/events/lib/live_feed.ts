import { type Channel, channel, type Ctx, publish } from "@fw/fw";

/** Notifies open pages that the seats of an event have changed or that it was deleted. */
export function seatsOf(eventId: number): Channel<void> {
  return channel(`seats:${eventId}`);
}

/** Notifies open schedules that the seats of an event have changed. */
export const anySeats: Channel<void> = channel("seats");

/** Notifies every open page that shows the seats of an event. */
export async function publishSeats(c: Ctx, eventId: number): Promise<void> {
  await publish(c, seatsOf(eventId));
  await publish(c, anySeats);
}
