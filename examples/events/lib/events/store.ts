import { key } from "@fw/fw";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { CityEvent, Venue } from "../city_event.ts";
import { type Clock, toLocalText } from "../clock.ts";
import type { EventQuery } from "./query.ts";
import { eventColumns, numberIn, textIn, toEvent } from "./row.ts";
import { toMatch } from "../search.ts";
import { daysOf } from "../when.ts";

/** The store, as `setup.ts` provides it and pages use it: `use(c, Store)`. */
export const Store = key<EventStore>("event store");

/** One page of a list. */
export interface EventPage {
  /** The events of the page, by date. */
  readonly events: readonly CityEvent[];
  /** How many events there are on all pages. */
  readonly total: number;
  /** How many pages there are, at least 1. */
  readonly pages: number;
}

/** What is coming up at one venue. */
export interface VenueSummary {
  readonly venue: Omit<Venue, "note" | "notes">;
  readonly events: number;
  readonly seats: number;
  readonly taken: number;
}

const joined = "events e join venues v on v.id = e.venue_id";

// One statement serves every combination of filters: an absent one is a null, or takes every date.
const filters = `
  e.ends_at > $now and e.starts_at >= $from and e.starts_at < $until
  and ($category is null or e.category = $category)
  and ($isFree = 0 or e.price_cents = 0)`;

const searched = `event_search s join events e on e.id = s.rowid
  join venues v on v.id = e.venue_id`;

/** Answers every question that pages ask about events, by statements that are prepared once. */
export class EventStore {
  readonly #db: DatabaseSync;
  readonly #clock: Clock;
  readonly #statements: Statements;

  /** Takes an open database; {@link EventStore.close} closes it. */
  constructor(db: DatabaseSync, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#statements = prepareAll(db);
  }

  /** The date and time in the city. */
  now(): Temporal.PlainDateTime {
    return this.#clock();
  }

  /**
   * Finds events that have not ended, by date.
   *
   * @param known `ids`: what {@link EventStore.findIds} found for the query. @default they are looked for
   */
  find(query: EventQuery, known: { readonly ids?: Int32Array } = {}): EventPage {
    const search = this.#searchOf(query);
    if (search === undefined) return { events: [], total: 0, pages: 1 };
    const { count, searchCount, list, searchList, byIds } = this.#statements;
    const { page, perPage } = query;
    const { ids } = known;
    const offset = (page - 1) * perPage;
    const [counting, listing] = "match" in search ? [searchCount, searchList] : [count, list];
    const total = ids?.length ?? numberIn(counting.get(search) ?? {}, "n");
    const rows = ids === undefined
      ? listing.all({ ...search, limit: perPage, offset })
      : byIds.all({ ids: JSON.stringify([...ids.slice(offset, offset + perPage)]) });
    return {
      events: rows.map(toEvent),
      total,
      pages: Math.max(1, Math.ceil(total / perPage)),
    };
  }

  /** The ids of all events that have not ended and fit the filters of a query without words, by date. */
  findIds(query: EventQuery): Int32Array {
    const row = this.#statements.ids.get(this.#bind(query)) ?? {};
    return Int32Array.from(JSON.parse(textIn(row, "ids")));
  }

  /** When the next event ends and leaves the lists; `undefined` where none is coming up. */
  nextEnd(): string | undefined {
    const row = this.#statements.nextEnd.get({ now: toLocalText(this.now()) });
    const end = row?.["ends_at"];
    return typeof end === "string" ? end : undefined;
  }

  /** The event of a slug, whether or not it has ended. */
  findBySlug(slug: string): CityEvent | undefined {
    const row = this.#statements.bySlug.get({ slug });
    return row === undefined ? undefined : toEvent(row);
  }

  /** The next event that may lead the front page. */
  findFeatured(): CityEvent | undefined {
    const row = this.#statements.featured.get({ now: toLocalText(this.now()) });
    return row === undefined ? undefined : toEvent(row);
  }

  /** Coming events of the same category, without the event itself. */
  findSimilar(event: CityEvent, limit: number): readonly CityEvent[] {
    const { id, category } = event;
    const now = toLocalText(this.now());
    return this.#statements.similar.all({ id, category, now, limit }).map(toEvent);
  }

  /** How many events are coming up, by category. */
  countByCategory(): ReadonlyMap<string, number> {
    const rows = this.#statements.categories.all({ now: toLocalText(this.now()) });
    return new Map(rows.map((row) => [textIn(row, "category"), numberIn(row, "n")]));
  }

  /** What is coming up at each venue, by name. */
  summarizeVenues(): readonly VenueSummary[] {
    return this.#statements.venues.all({ now: toLocalText(this.now()) }).map((row) => ({
      venue: {
        slug: textIn(row, "slug"),
        name: textIn(row, "name"),
        address: textIn(row, "address"),
        area: textIn(row, "area"),
      },
      events: numberIn(row, "events"),
      seats: numberIn(row, "seats"),
      taken: numberIn(row, "taken"),
    }));
  }

  /** Reads a row; throws where the database does not work. */
  check(): void {
    this.#statements.check.get();
  }

  /** Closes the database. */
  close(): void {
    if (this.#db.isOpen) this.#db.close();
  }

  /** What the statements take for a query; `undefined` where it has words, but none to search for. */
  #searchOf(query: EventQuery): Record<string, string | number | null> | undefined {
    const match = toMatch(query.q);
    if (match === undefined) return query.q === "" ? this.#bind(query) : undefined;
    return { ...this.#bind(query), match };
  }

  #bind(query: EventQuery): Record<string, string | number | null> {
    const now = this.now();
    const days = query.when === undefined ? undefined : daysOf(query.when, now.toPlainDate());
    return {
      now: toLocalText(now),
      from: days?.from.toString() ?? "",
      until: days?.until.toString() ?? "9999",
      category: query.category ?? null,
      isFree: query.isFree ? 1 : 0,
    };
  }
}

/** The statements by what they find. */
type Statements = Readonly<
  Record<
    | "check"
    | "list"
    | "count"
    | "searchList"
    | "searchCount"
    | "byIds"
    | "ids"
    | "nextEnd"
    | "bySlug"
    | "featured"
    | "similar"
    | "categories"
    | "venues",
    StatementSync
  >
>;

function prepareAll(db: DatabaseSync): Statements {
  const prepare = (sql: string): StatementSync => db.prepare(sql);
  const page = "order by e.starts_at, e.id limit $limit offset $offset";
  return {
    check: prepare("select 1 from events limit 1"),
    // The events that the offset skips are not read: their order is in the index.
    list: prepare(
      `select ${eventColumns} from (select e.id from events e where ${filters} ${page}) found
       join events e on e.id = found.id join venues v on v.id = e.venue_id
       order by e.starts_at, e.id`,
    ),
    count: prepare(`select count(*) as n from events e where ${filters}`),
    searchList: prepare(
      `select ${eventColumns} from ${searched} where event_search match $match and ${filters} ${page}`,
    ),
    searchCount: prepare(
      `select count(*) as n from ${searched} where event_search match $match and ${filters}`,
    ),
    byIds: prepare(
      `select ${eventColumns} from ${joined} where e.id in (select value from json_each($ids))
       order by e.starts_at, e.id`,
    ),
    ids: prepare(
      `select json_group_array(id) as ids from (
         select e.id from events e where ${filters} order by e.starts_at, e.id
       )`,
    ),
    nextEnd: prepare("select min(ends_at) as ends_at from events where ends_at > $now"),
    bySlug: prepare(`select ${eventColumns} from ${joined} where e.slug = $slug`),
    featured: prepare(
      `select ${eventColumns} from ${joined} where e.ends_at > $now and e.is_featured = 1
       order by e.starts_at limit 1`,
    ),
    similar: prepare(
      `select ${eventColumns} from ${joined}
       where e.ends_at > $now and e.category = $category and e.id <> $id
       order by e.starts_at limit $limit`,
    ),
    categories: prepare(
      "select category, count(*) as n from events where ends_at > $now group by category",
    ),
    venues: prepare(
      `select v.slug, v.name, v.address, v.area, count(e.id) as events,
         coalesce(sum(e.seats), 0) as seats, coalesce(sum(e.taken), 0) as taken
       from venues v left join events e on e.venue_id = v.id and e.ends_at > $now
       group by v.id order by v.name`,
    ),
  };
}
