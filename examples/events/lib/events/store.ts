import { type Infer, int, key, struct, text } from "@fw/fw";
import { type Db, keyset, type Sql, sql, where } from "@fw/fw/data";
import type { CityEvent, Venue } from "../city_event.ts";
import { type Clock, toLocalText } from "../clock.ts";
import { maxDays } from "./form.ts";
import type { EventQuery } from "./query.ts";
import { eventColumns, EventRow, toEvent } from "./row.ts";
import { toMatch } from "../search.ts";
import { daysOf } from "../when.ts";

/** The store provided by `setup.ts` for pages: `use(c, Store)`. */
export const Store = key<EventStore>("event store");

/** Maximum number of events that are counted. */
export const maxCount = 1_000;

/** One page of a list. */
export interface EventPage {
  /** The events of the page, by date. */
  readonly events: readonly CityEvent[];
  /** Number of events on all pages; {@linkcode maxCount} + 1 stands for any larger number. */
  readonly total: number;
  /** The `at` of the next page; `undefined` on the last. */
  readonly next: string | undefined;
  /** The `at` of the previous page; `undefined` on the first. */
  readonly previous: string | undefined;
}

/** The upcoming events of a venue, in numbers. */
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

/** Reads events for pages. */
export class EventStore {
  readonly #db: Db;
  readonly #clock: Clock;

  constructor(db: Db, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
  }

  /** Returns the local date and time of the city. */
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

  /** Returns when the next event ends and leaves the lists; `undefined` if none is upcoming. */
  async nextEnd(): Promise<string | undefined> {
    return await this.#db.first(text())`
      select ends_at from events where ends_at > ${this.#now()} order by ends_at limit 1`;
  }

  /** Returns the event with a slug, even if it has ended. */
  findBySlug(slug: string): Promise<CityEvent | undefined> {
    return this.#first(sql`e.slug = ${slug}`);
  }

  /** Returns the next event that may be featured on the front page. */
  findFeatured(): Promise<CityEvent | undefined> {
    return this.#first(sql`${this.#coming()} and e.is_featured = 1`);
  }

  /** Returns other upcoming events of the same category. */
  async findSimilar({ id, category }: CityEvent, limit: number): Promise<readonly CityEvent[]> {
    const rows = await this.#db.all(EventRow)`
      select ${eventColumns} from ${joined}
      where e.ends_at > ${this.#now()} and e.category = ${category} and e.id <> ${id}
      order by e.starts_at limit ${limit}`;
    return rows.map(toEvent);
  }

  /** Counts the upcoming events by category. */
  async countByCategory(): Promise<ReadonlyMap<string, number>> {
    const counts: readonly CategoryCount[] = await this.#db.all(CategoryCount)`
      select category, count(*) as events from events e where ${this.#coming()} group by +category`;
    return new Map(counts.map(({ category, events }) => [category, events]));
  }

  /** Summarises the upcoming events of each venue, by name. */
  async summarizeVenues(): Promise<readonly VenueSummary[]> {
    const rows = await this.#db.all(VenueRow)`
      -- scan: a city has few venues
      select v.slug, v.name, v.address, v.area, count(e.id) as events,
        coalesce(sum(e.seats), 0) as seats, coalesce(sum(e.taken), 0) as taken
      from venues v left join events e on e.venue_id = v.id and e.ends_at > ${this.#now()}
      group by v.id order by v.name`;
    return rows.map(({ events, seats, taken, ...venue }) => ({ venue, events, seats, taken }));
  }

  /** Reads a row; rejects if the database fails. */
  async check(): Promise<void> {
    await this.#db.first(int())`select 1 from events limit 1`;
  }

  /** Selects events that have not ended. They began at most `maxDays` ago, so an index finds the start. */
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

  /** Returns the conditions of a query; `undefined` if its text contains no word to search for. */
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
