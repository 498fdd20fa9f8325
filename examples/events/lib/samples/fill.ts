import type { DatabaseSync } from "node:sqlite";
import { categories } from "../categories.ts";
import { toLocalText } from "../clock.ts";
import { inTransaction } from "../database.ts";
import { slugOf } from "../slug.ts";
import type { Sample } from "./sample.ts";
import { samples } from "./samples.ts";
import { venues } from "./venues.ts";

/** In how many weeks the samples of a category take place: soon there is a lot, later less. */
const weeks = [0, 0, 1, 1, 2, 3, 4, 5];

/**
 * Fills an empty database with sample events from today on. In one that was filled weeks ago the
 * samples move on by as many weeks, so that there is always something coming up.
 */
export function fillWithSamples(db: DatabaseSync, today: Temporal.PlainDate): void {
  const filledOn = db.prepare("select value from meta where name = 'samples_from'").get()
    ?.["value"];
  inTransaction(db, () => {
    if (typeof filledOn === "string") {
      translateSamples(db);
      translateVenues(db);
      moveSamples(db, { filledOn: Temporal.PlainDate.from(filledOn), today });
    } else {
      insertSamples(db, today);
    }
  });
}

/** Adds the translations to samples from a time without them. */
function translateSamples(db: DatabaseSync): void {
  const old = "select 1 from events where is_sample = 1 and texts is null limit 1";
  if (db.prepare(old).get() === undefined) return;
  const translate = db.prepare(
    "update events set texts = $texts where slug = $slug and is_sample = 1 and texts is null",
  );
  for (const sample of Object.values(samples).flat()) {
    translate.run({ slug: slugOf(sample.title), texts: JSON.stringify(sample.texts) });
  }
}

/** Adds the translations to the notes of the samples' venues, unless a note was changed. */
function translateVenues(db: DatabaseSync): void {
  if (db.prepare("select 1 from venues where notes is null limit 1").get() === undefined) return;
  const translate = db.prepare(
    "update venues set notes = $notes where slug = $slug and note = $note and notes is null",
  );
  for (const { slug, note, notes } of venues) {
    translate.run({ slug, note, notes: JSON.stringify(notes) });
  }
}

function moveSamples(
  db: DatabaseSync,
  { filledOn, today }: {
    readonly filledOn: Temporal.PlainDate;
    readonly today: Temporal.PlainDate;
  },
): void {
  const days = Math.floor(filledOn.until(today).days / 7) * 7;
  if (days <= 0) return;
  db.prepare(`
    update events set
      starts_at = strftime('%Y-%m-%dT%H:%M', starts_at, $shift),
      ends_at = strftime('%Y-%m-%dT%H:%M', ends_at, $shift)
    where is_sample = 1
  `).run({ shift: `+${days} days` });
  noteDay(db, filledOn.add({ days }));
}

function insertSamples(db: DatabaseSync, today: Temporal.PlainDate): void {
  const addVenue = db.prepare(
    `insert into venues (slug, name, address, area, note, notes)
     values ($slug, $name, $address, $area, $note, $notes)`,
  );
  for (const venue of venues) addVenue.run({ ...venue, notes: JSON.stringify(venue.notes) });
  const addEvent = db.prepare(`
    insert into events (slug, title, summary, story, texts, category, venue_id,
      starts_at, ends_at, price_cents, seats, taken, is_featured, is_sample)
    values ($slug, $title, $summary, $story, $texts, $category, (select id from venues where slug = $venue),
      $startsAt, $endsAt, $priceCents, $seats, $taken, $isFeatured, 1)
  `);
  for (const { id: category } of categories) {
    for (const [index, sample] of samples[category].entries()) {
      addEvent.run({ ...toRow(sample, { week: weeks[index] ?? index, today }), category });
    }
  }
  noteDay(db, today);
}

function toRow(
  sample: Sample,
  at: { readonly week: number; readonly today: Temporal.PlainDate },
): Record<string, string | number> {
  const { title, summary, story, texts, venue, seats, time } = sample;
  const days = at.week * 7 + (sample.weekday - at.today.dayOfWeek + 7) % 7;
  const start = at.today.add({ days }).toPlainDateTime(time);
  return {
    slug: slugOf(title),
    title,
    summary,
    story,
    texts: JSON.stringify(texts),
    venue,
    startsAt: toLocalText(start),
    endsAt: toLocalText(start.add({ minutes: sample.minutes })),
    priceCents: sample.euros * 100,
    seats,
    taken: Math.floor(seats * shareTaken(title, at.week)),
    isFeatured: sample.isFeatured ? 1 : 0,
  };
}

/** How full an event is: the sooner, the fuller, and always the same for one title. */
function shareTaken(title: string, week: number): number {
  const chance = [...title].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 101, 7) / 100;
  return Math.min(1, 0.35 + chance * 0.7) * (1 - week * 0.09);
}

function noteDay(db: DatabaseSync, day: Temporal.PlainDate): void {
  db.prepare("insert or replace into meta (name, value) values ('samples_from', $day)")
    .run({ day: day.toString() });
}
