import type { SQLOutputValue } from "node:sqlite";
import { isCategory } from "../categories.ts";
import type { CityEvent, Photo } from "../city_event.ts";
import { parseTranslations } from "./texts.ts";

/** One row as SQLite gives it. */
export type Row = Record<string, SQLOutputValue>;

/** What a query selects so that {@link toEvent} can read it: events as `e`, venues as `v`. */
export const eventColumns = `
  e.id, e.slug, e.title, e.summary, e.story, e.texts, e.category, e.starts_at, e.ends_at,
  e.price_cents, e.seats, e.taken, e.photo_file, e.photo_type, e.photo_version, v.slug as venue_slug, v.name as venue_name,
  v.address as venue_address, v.area as venue_area, v.note as venue_note,
  v.notes as venue_notes`;

/** Reads an event from a row. */
export function toEvent(row: Row): CityEvent {
  const category = textIn(row, "category");
  if (!isCategory(category)) throw new TypeError(`Cannot read the category "${category}".`);
  return {
    id: numberIn(row, "id"),
    slug: textIn(row, "slug"),
    title: textIn(row, "title"),
    summary: textIn(row, "summary"),
    story: textIn(row, "story"),
    translations: row["texts"] === null ? undefined : parseTranslations(textIn(row, "texts")),
    category,
    venue: {
      slug: textIn(row, "venue_slug"),
      name: textIn(row, "venue_name"),
      address: textIn(row, "venue_address"),
      area: textIn(row, "venue_area"),
      note: textIn(row, "venue_note"),
      notes: row["venue_notes"] === null
        ? undefined
        : parseTranslations(textIn(row, "venue_notes")),
    },
    startsAt: textIn(row, "starts_at"),
    endsAt: textIn(row, "ends_at"),
    priceCents: numberIn(row, "price_cents"),
    seats: numberIn(row, "seats"),
    taken: numberIn(row, "taken"),
    photo: photoIn(row),
  };
}

/** The picture of an event: its columns are all filled, or none. */
function photoIn(row: Row): Photo | undefined {
  if (row["photo_file"] === null) return undefined;
  return {
    file: textIn(row, "photo_file"),
    type: textIn(row, "photo_type"),
    version: textIn(row, "photo_version"),
  };
}

/** A column that holds text. */
export function textIn(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw new TypeError(`Cannot read the column "${column}": it holds no text.`);
}

/** A column that holds a number. */
export function numberIn(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw new TypeError(`Cannot read the column "${column}": it holds no number.`);
}
