import { findTimeZone } from "../base/time_zone.ts";
import { formatOf } from "../i18n/format.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { markCookieRead } from "./stage.ts";

const zoneCookie = "fw_zone";

/** Returns the time zone of the browser's cookie, else that of the application. */
export function findZone(c: RequestCtx): string {
  markCookieRead(c);
  return findTimeZone(c.cookie(zoneCookie) ?? "") ?? c.app.config.zone;
}

/**
 * Checks a time zone that the application sets for a request.
 *
 * @throws {TypeError} for a zone that does not exist.
 */
export function checkZone(name: string): string {
  const zone = findTimeZone(name);
  if (zone !== undefined) return zone;
  throw new TypeError(
    `Cannot set the zone "${name}": use a name of the time zone database, such as "Europe/Lisbon".`,
  );
}

const mediumTime: Intl.DateTimeFormatOptions = { dateStyle: "medium", timeStyle: "short" };

export function writeTime(
  c: RequestCtx,
  date: Date | Temporal.Instant,
  options: Intl.DateTimeFormatOptions = mediumTime,
): string {
  const instant = date instanceof Date ? date : new Date(date.epochMilliseconds);
  return formatOf(c.language).date(instant, { timeZone: c.zone, ...options });
}
