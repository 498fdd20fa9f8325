/** Gives the date and time on the clocks of the city. */
export type Clock = () => Temporal.PlainDateTime;

/** The time zone of the city: all dates in the database are on its clocks. */
export const timeZone = "Europe/Lisbon";

/**
 * Makes the clock of the city.
 *
 * @param stoppedAt A date and time at which the clock stands still, for tests and screenshots.
 */
export function cityClock(stoppedAt?: string): Clock {
  if (stoppedAt === undefined) return () => Temporal.Now.plainDateTimeISO(timeZone);
  const stopped = Temporal.PlainDateTime.from(stoppedAt);
  return () => stopped;
}

/** A date and time as the database keeps it: `2026-05-14T19:30`, which sorts as text. */
export function toLocalText(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: "minute" });
}

/** The instant of a text as the database keeps it. */
export function toZoned(localText: string): Temporal.ZonedDateTime {
  return Temporal.PlainDateTime.from(localText).toZonedDateTime(timeZone);
}
