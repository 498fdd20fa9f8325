import type { CityEvent } from "./city_event.ts";
import { toZoned } from "./clock.ts";
import type { EventTexts } from "./events/texts.ts";

const maxLineBytes = 75;

/** The content of a calendar file beyond the event's facts. */
export interface CalendarTexts {
  /** The absolute URL of the event's page. */
  readonly url: string;
  /** The texts of the event. */
  readonly texts: EventTexts;
  /** The language tag of the texts. */
  readonly language: string;
  /** The name of the city in that language. */
  readonly city: string;
}

/** Writes an event as a calendar file (RFC 5545). */
export function formatCalendar(
  event: CityEvent,
  { url, texts, language, city }: CalendarTexts,
): string {
  const { venue } = event;
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//Miradouro//Events//${language.toUpperCase()}`,
    "BEGIN:VEVENT",
    `UID:${event.slug}@miradouro.example`,
    `DTSTAMP:${toUtc(event.startsAt)}`,
    `DTSTART:${toUtc(event.startsAt)}`,
    `DTEND:${toUtc(event.endsAt)}`,
    `SUMMARY;LANGUAGE=${language}:${escapeText(texts.title)}`,
    `DESCRIPTION;LANGUAGE=${language}:${escapeText(texts.summary)}`,
    `LOCATION:${escapeText(`${venue.name}, ${venue.address}, ${venue.area}, ${city}`)}`,
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

/** Folds a line that is too long; the next line starts with a space. */
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
