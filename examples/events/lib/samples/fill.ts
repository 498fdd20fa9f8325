import { bool, type Infer, int, struct, text } from "@fw/fw";
import { type Db, values } from "@fw/fw/data";
import { categories } from "../categories.ts";
import { toLocalText } from "../clock.ts";
import { slugOf } from "../slug.ts";
import type { Sample } from "./sample.ts";
import { samples } from "./samples.ts";
import { venues } from "./venues.ts";

/** The week offsets of a category's samples: many in the first weeks, fewer later. */
const weeks = [0, 0, 1, 1, 2, 3, 4, 5];

/**
 * Fills an empty database with sample events from today on. In a database filled weeks ago, it
 * moves the samples by as many weeks, so that there are always upcoming events.
 */
export async function fillWithSamples(db: Db, today: Temporal.PlainDate): Promise<void> {
  await db.tx(async () => {
    const filledOn = await db.first(text())`select value from meta where name = 'samples_from'`;
    if (filledOn === undefined) await insertSamples(db, today);
    else await moveSamples(db, { filledOn: Temporal.PlainDate.from(filledOn), today });
  });
}

async function moveSamples(
  db: Db,
  { filledOn, today }: {
    readonly filledOn: Temporal.PlainDate;
    readonly today: Temporal.PlainDate;
  },
): Promise<void> {
  const days = Math.floor(filledOn.until(today).days / 7) * 7;
  if (days <= 0) return;
  const shift = `+${days} days`;
  await db.run`
    update events set
      starts_at = strftime('%Y-%m-%dT%H:%M', starts_at, ${shift}),
      ends_at = strftime('%Y-%m-%dT%H:%M', ends_at, ${shift})
    where is_sample = 1`;
  await noteDay(db, filledOn.add({ days }));
}

const VenueRow = struct({
  slug: text(),
  name: text(),
  address: text(),
  area: text(),
  note: text(),
  notes: text(),
});

const SampleRow = struct({
  slug: text(),
  title: text(),
  summary: text(),
  story: text(),
  texts: text(),
  category: text(),
  venueId: int(),
  startsAt: text(),
  endsAt: text(),
  priceCents: int(),
  seats: int(),
  taken: int(),
  isFeatured: bool(),
  isSample: bool(),
});
type SampleRow = Infer<typeof SampleRow>;

async function insertSamples(db: Db, today: Temporal.PlainDate): Promise<void> {
  const rows = venues.map((venue) => ({ ...venue, notes: JSON.stringify(venue.notes) }));
  await db.run`insert into venues ${values(VenueRow, rows)}`;
  const Venue = struct({ id: int(), slug: text() });
  const known = await db.all(Venue)`
    -- scan: a city has few venues
    select ${Venue} from venues`;
  const venueIds = new Map(known.map(({ id, slug }) => [slug, id]));
  const events = categories.flatMap(({ id: category }) =>
    samples[category].map((sample, index) => {
      const venueId = venueIds.get(sample.venue);
      if (venueId === undefined) throw new RangeError(`Cannot find the venue "${sample.venue}".`);
      const at = { week: weeks[index] ?? index, today };
      return { ...toRow(sample, at), category, venueId, isSample: true };
    })
  );
  await db.run`insert into events ${values(SampleRow, events)}`;
  await noteDay(db, today);
}

function toRow(
  sample: Sample,
  at: { readonly week: number; readonly today: Temporal.PlainDate },
): Omit<SampleRow, "category" | "venueId" | "isSample"> {
  const { title, summary, story, texts, seats, time } = sample;
  const days = at.week * 7 + (sample.weekday - at.today.dayOfWeek + 7) % 7;
  const start = at.today.add({ days }).toPlainDateTime(time);
  return {
    slug: slugOf(title),
    title,
    summary,
    story,
    texts: JSON.stringify(texts),
    startsAt: toLocalText(start),
    endsAt: toLocalText(start.add({ minutes: sample.minutes })),
    priceCents: sample.euros * 100,
    seats,
    taken: Math.floor(seats * shareTaken(title, at.week)),
    isFeatured: sample.isFeatured === true,
  };
}

/** Returns how full an event is: the sooner, the fuller, and constant for a title. */
function shareTaken(title: string, week: number): number {
  const chance = [...title].reduce((sum, char) => (sum * 31 + char.charCodeAt(0)) % 101, 7) / 100;
  return Math.min(1, 0.35 + chance * 0.7) * (1 - week * 0.09);
}

async function noteDay(db: Db, day: Temporal.PlainDate): Promise<void> {
  await db.run`insert or replace into meta (name, value) values ('samples_from', ${String(day)})`;
}
