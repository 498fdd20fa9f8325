import { type Infer, int, key, struct, text } from "@fw/fw";
import { type Db, keyset, type Sql, sql, where } from "@fw/fw/data";
import type { CityEvent, Venue } from "../city_event.ts";
import { type Clock, toLocalText } from "../clock.ts";
import { maxDays } from "./form.ts";
import type { EventQuery } from "./query.ts";
import { eventColumns, EventRow, toEvent } from "./row.ts";
import { toMatch } from "../search.ts";
import { daysOf } from "../when.ts";

/** The store, as `setup.ts` provides it and pages use it: `use(c, Store)`. */
export const Store = key<EventStore>("event store");

/** Up to here events are counted. */
export const maxCount = 1_000;

/** One page of a list. */
export interface EventPage {
  /** The events of the page, by date. */
  readonly events: readonly CityEvent[];
  /** How many events there are on all pages; one more than {@linkcode maxCount} stands for any number above it. */
  readonly total: number;
  /** The `at` of the next page; `undefined` on the last. */
  readonly next: string | undefined;
  /** The `at` of the page before; `undefined` on the first. */
  readonly previous: string | undefined;
}

/** What is coming up at one venue. */
export interface VenueSummary {
  readonly venue: Omit<Venue, "note" | "notes">;
  readonly events: number;
  readonly seats: number;
  readonly taken: number;
}

const VenueRow = struct({
  slug: text(),
  name: text(),
  address: text(),
  area: text(),
  events: int(),
  seats: int(),
  taken: int(),
});

const CategoryCount = struct({ category: text(), events: int() });
type CategoryCount = Infer<typeof CategoryCount>;

const joined = sql`events e join venues v on v.id = e.venue_id`;

const byStart = {
  startsAt: [sql`e.starts_at`, "asc"],
  id: [sql`e.id`, "asc"],
} as const;

/** Answers every question that pages ask about events. */
export class EventStore {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** The date and time in the city. */
  now(): Temporal.PlainDateTime {
    return this.#clock();
  }

  /** Finds events that have not ended, by date. */
  async find(query: EventQuery): Promise<EventPage> {
    const matching = this.#matching(query);
    if (matching === undefined) {
      return { events: [], total: 0, next: undefined, previous: undefined };
    }
    const page = keyset<EventRow>(query.at, { size: query.perPage, by: byStart, rows: EventRow });
    const rows = await this.#db.all(EventRow)`
      select ${eventColumns} from ${joined} ${where(...matching, page.after)} ${page.order}`;
    const total = await this.#db.one(int())`
      select count(*) from (select 1 from events e ${where(...matching)} limit ${maxCount + 1})`;
    const { rows: cut, next, previous } = page.cut(rows);
    return { events: cut.map(toEvent), total, next, previous };
  }

  /** When the next event ends and leaves the lists; `undefined` where none is coming up. */
  async nextEnd(): Promise<string | undefined> {
    return await this.#db.first(text())`
      select ends_at from events where ends_at > ${this.#now()} order by ends_at limit 1`;
  }

  /** The event of a slug, whether or not it has ended. */
  findBySlug(slug: string): Promise<CityEvent | undefined> {
    return this.#first(sql`e.slug = ${slug}`);
  }

  /** The next event that may lead the front page. */
  findFeatured(): Promise<CityEvent | undefined> {
    return this.#first(sql`${this.#coming()} and e.is_featured = 1`);
  }

  /** Coming events of the same category, without the event itself. */
  async findSimilar({ id, category }: CityEvent, limit: number): Promise<readonly CityEvent[]> {
    const rows = await this.#db.all(EventRow)`
      select ${eventColumns} from ${joined}
      where e.ends_at > ${this.#now()} and e.category = ${category} and e.id <> ${id}
      order by e.starts_at limit ${limit}`;
    return rows.map(toEvent);
  }

  /** How many events are coming up, by category. */
  async countByCategory(): Promise<ReadonlyMap<string, number>> {
    const counts: readonly CategoryCount[] = await this.#db.all(CategoryCount)`
      select category, count(*) as events from events e where ${this.#coming()} group by +category`;
    return new Map(counts.map(({ category, events }) => [category, events]));
  }

  /** What is coming up at each venue, by name. */
  async summarizeVenues(): Promise<readonly VenueSummary[]> {
    const rows = await this.#db.all(VenueRow)`
      -- scan: a city has few venues
      select v.slug, v.name, v.address, v.area, count(e.id) as events,
        coalesce(sum(e.seats), 0) as seats, coalesce(sum(e.taken), 0) as taken
      from venues v left join events e on e.venue_id = v.id and e.ends_at > ${this.#now()}
      group by v.id order by v.name`;
    return rows.map(({ events, seats, taken, ...venue }) => ({ venue, events, seats, taken }));
  }

  /** Reads a row; rejects where the database does not work. */
  async check(): Promise<void> {
    await this.#db.first(int())`select 1 from events limit 1`;
  }

  /** An event that is not over has begun within the days that one may take: an index finds where the list starts. */
  #coming(): Sql {
    const earliest = toLocalText(this.now().subtract({ days: maxDays }));
    return sql`e.starts_at >= ${earliest} and e.ends_at > ${this.#now()}`;
  }

  #now(): string {
    return toLocalText(this.now());
  }

  async #first(condition: Sql): Promise<CityEvent | undefined> {
    const row = await this.#db.first(EventRow)`
      select ${eventColumns} from ${joined} where ${condition} order by e.starts_at limit 1`;
    return row && toEvent(row);
  }

  /** The conditions of a query; `undefined` where it has a text, but no word to search for. */
  #matching({ q, when, category, isFree }: EventQuery): (Sql | undefined)[] | undefined {
    const match = toMatch(q);
    if (match === undefined && q !== "") return undefined;
    const now = this.now();
    const days = when === undefined ? undefined : daysOf(when, now.toPlainDate());
    return [
      this.#coming(),
      days && sql`e.starts_at >= ${String(days.from)} and e.starts_at < ${String(days.until)}`,
      category === undefined ? undefined : sql`e.category = ${category}`,
      isFree ? sql`e.price_cents = 0` : undefined,
      match === undefined ? undefined : sql`
          -- scan: what a search finds is sorted by date
          e.id in (select rowid from event_search where event_search match ${match})`,
    ];
  }
}
