/** Returns the local date and time of the city. */
export type Clock = () => Temporal.PlainDateTime;

/** The time zone of the city, in which all dates in the database are. */
export const timeZone = "Europe/Lisbon";

/**
 * Creates the city's clock.
 *
 * @param stoppedAt A fixed date and time, for tests and screenshots.
 */
export function cityClock(stoppedAt?: string): Clock {
  if (stoppedAt === undefined) return () => Temporal.Now.plainDateTimeISO(timeZone);
  const stopped = Temporal.PlainDateTime.from(stoppedAt);
  return () => stopped;
}

/** Formats a date and time for the database: `2026-05-14T19:30`, which sorts as text. */
export function toLocalText(time: Temporal.PlainDateTime): string {
  return time.toString({ smallestUnit: "minute" });
}

/** Returns the instant of a text in the database's format. */
export function toZoned(localText: string): Temporal.ZonedDateTime {
  return Temporal.PlainDateTime.from(localText).toZonedDateTime(timeZone);
}
