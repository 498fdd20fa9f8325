import type { CityEvent } from "./city_event.ts";
import { toZoned } from "./clock.ts";

const maxLineBytes = 75;

/**
 * Writes an event as a calendar file (RFC 5545).
 *
 * @param url The absolute URL of the event's page.
 */
export function formatCalendar(event: CityEvent, url: string): string {
  const { venue } = event;
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Miradouro//Events//EN",
    "BEGIN:VEVENT",
    `UID:${event.slug}@miradouro.example`,
    `DTSTAMP:${toUtc(event.startsAt)}`,
    `DTSTART:${toUtc(event.startsAt)}`,
    `DTEND:${toUtc(event.endsAt)}`,
    `SUMMARY:${escapeText(event.title)}`,
    `DESCRIPTION:${escapeText(event.summary)}`,
    `LOCATION:${escapeText(`${venue.name}, ${venue.address}, ${venue.area}, Lisbon`)}`,
    `URL:${url}`,
    "END:VEVENT",
    "END:VCALENDAR",
  ].map((line) => `${foldLine(line)}\r\n`).join("");
}

function toUtc(localText: string): string {
  const text = toZoned(localText).toInstant().toString({ smallestUnit: "second" });
  return text.replace(/[-:]/g, "");
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");
}

/** Breaks a line that is too long; the next one starts with a space. */
function foldLine(line: string): string {
  let folded = "";
  let bytes = 0;
  for (const char of line) {
    const size = new TextEncoder().encode(char).length;
    if (bytes + size > maxLineBytes) {
      folded += "\r\n ";
      bytes = 1;
    }
    folded += char;
    bytes += size;
  }
  return folded;
}
