/** A local time that a clock change skips or repeats. */
export class ClockChange {
  readonly kind: "skippedTime" | "repeatedTime";
  /** The suggestions: the nearest times that exist, or the time with either offset. */
  readonly readings: readonly string[];

  constructor(kind: ClockChange["kind"], readings: readonly string[]) {
    this.kind = kind;
    this.readings = readings;
  }
}

/** Parses a local date and time, such as `2026-03-01T19:30`; throws a `RangeError` for anything else. */
export function parseLocalTime(text: string, zone: string): Date | ClockChange {
  const local = Temporal.PlainDateTime.from(text);
  const read = (["earlier", "later"] as const).map((disambiguation) =>
    local.toZonedDateTime(zone, { disambiguation })
  );
  const times = new Set(read.map(({ epochMilliseconds }) => epochMilliseconds));
  const [only = NaN] = times;
  if (times.size === 1) return new Date(only);
  return read.some((each) => each.toPlainDateTime().equals(local))
    ? new ClockChange("repeatedTime", read.map((each) => writeLocal(each) + each.offset))
    : new ClockChange("skippedTime", read.map(writeLocal));
}

function writeLocal(time: Temporal.ZonedDateTime): string {
  const text = time.toPlainDateTime().toString({ smallestUnit: "millisecond" });
  return text.replace(/(?::00)?(?:\.000)?$/, "");
}

/**
 * Formats an instant for a `datetime-local` control in a time zone. The offset is kept only for a local time
 * that occurs twice because the clocks go back.
 *
 * @param text An instant with its offset, a local time, a day, or any other input, which is returned
 * unchanged.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { localTime } from "@fw/fw/addon";
 *
 * assertEquals(localTime("2026-07-01T12:00Z", "Europe/Lisbon"), "2026-07-01T13:00");
 * assertEquals(localTime("2026-10-25T01:30Z", "Europe/Lisbon"), "2026-10-25T01:30+00:00");
 * ```
 */
export function localTime(text: string, zone: string): string {
  try {
    if (/(?:Z|[+-]\d{2}:\d{2})$/i.test(text)) {
      const time = Temporal.Instant.from(text).toZonedDateTimeISO(zone);
      const local = writeLocal(time);
      return parseLocalTime(local, zone) instanceof ClockChange ? local + time.offset : local;
    }
    const local = text.replace(/^\d{4}-\d{2}-\d{2}$/, "$&T00:00");
    const read = parseLocalTime(local, zone);
    const isRepeated = read instanceof ClockChange && read.kind === "repeatedTime";
    return isRepeated ? read.readings[0] ?? local : local;
  } catch {
    return text;
  }
}

/** Zones by lower-case name: there are few, and a new `Intl.DateTimeFormat` takes a millisecond. */
const known = new Map<string, string>([["utc", "UTC"]]);

/** Returns the usual spelling of a time zone of the IANA database; `undefined` for offsets. */
export function findTimeZone(name: string): string | undefined {
  if (name.length > 64 || !/^[a-z][\w+-]*(?:\/[\w+-]+)*$/i.test(name)) return undefined;
  const key = name.toLowerCase();
  const found = known.get(key);
  if (found !== undefined) return found;
  try {
    const { timeZone } = new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions();
    known.set(key, timeZone);
    return timeZone;
  } catch {
    return undefined;
  }
}
