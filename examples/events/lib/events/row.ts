import { type Infer, int, struct, text } from "@fw/fw";
import { sql } from "@fw/fw/data";
import { isCategory } from "../categories.ts";
import type { CityEvent } from "../city_event.ts";
import { parseTranslations } from "./texts.ts";

/** An event with its venue, as selected by {@linkcode eventColumns}. */
export const EventRow = struct({
  id: int(),
  slug: text(),
  title: text(),
  summary: text(),
  story: text(),
  texts: text().optional(),
  category: text(),
  startsAt: text(),
  endsAt: text(),
  priceCents: int(),
  seats: int(),
  taken: int(),
  photoFile: text().optional(),
  photoType: text().optional(),
  photoVersion: text().optional(),
  venueSlug: text(),
  venueName: text(),
  venueAddress: text(),
  venueArea: text(),
  venueNote: text(),
  venueNotes: text().optional(),
});
/** The values of an event with its venue. */
export type EventRow = Infer<typeof EventRow>;

/** The columns that {@linkcode toEvent} needs, with the aliases `e` for events and `v` for venues. */
export const eventColumns = sql`
  e.id, e.slug, e.title, e.summary, e.story, e.texts, e.category, e.starts_at, e.ends_at, e.price_cents, e.seats,
  e.taken, e.photo_file, e.photo_type, e.photo_version, v.slug as venue_slug, v.name as venue_name,
  v.address as venue_address, v.area as venue_area, v.note as venue_note, v.notes as venue_notes`;

/** Converts a row to an event. */
export function toEvent(row: EventRow): CityEvent {
  const { category, texts, venueNotes, photoFile, photoType, photoVersion } = row;
  if (!isCategory(category)) throw new TypeError(`Cannot read the category "${category}".`);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    summary: row.summary,
    story: row.story,
    translations: texts ? parseTranslations(texts) : undefined,
    category,
    venue: {
      slug: row.venueSlug,
      name: row.venueName,
      address: row.venueAddress,
      area: row.venueArea,
      note: row.venueNote,
      notes: venueNotes ? parseTranslations(venueNotes) : undefined,
    },
    startsAt: row.startsAt,
    endsAt: row.endsAt,
    priceCents: row.priceCents,
    seats: row.seats,
    taken: row.taken,
    // Either all columns of an image are set or none.
    photo: photoFile && photoType && photoVersion
      ? { file: photoFile, type: photoType, version: photoVersion }
      : undefined,
  };
}
