import { key } from "@fw/fw";
import type { Cache } from "@fw/fw/cache";
import type { CityEvent } from "./city_event.ts";
import { toLocalText } from "./clock.ts";
import { type EventQuery, formatEventQuery } from "./event_query.ts";
import type { EventPage, EventStore } from "./event_store.ts";

/** The lists, as `setup.ts` provides them and pages use them: `use(c, Lists)`. */
export const Lists = key<EventLists>("event lists");

/** What every list is made from. */
const events = "events";

/** How long a list of another minute stays in memory. */
const ttlMs = 60_000;

/** Keeps the lists that many visitors ask for, until an event changes. */
export class EventLists {
  readonly #store: EventStore;
  readonly #cache: Cache;

  /** Takes the store that is asked, and the cache that keeps what it answers. */
  constructor(store: EventStore, cache: Cache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** Finds events that have not ended, by date. */
  async find(query: EventQuery): Promise<EventPage> {
    // Hardly two visitors search for the same words.
    if (query.q !== "") return this.#store.find(query);
    return await this.#keep(`list ${formatEventQuery(query)}`, (store) => store.find(query));
  }

  /** The next event that may lead the front page. */
  findFeatured(): Promise<CityEvent | undefined> {
    return this.#keep("featured", (store) => store.findFeatured());
  }

  /** How many events are coming up, by category. */
  countByCategory(): Promise<ReadonlyMap<string, number>> {
    return this.#keep("categories", (store) => store.countByCategory());
  }

  /** Drops all lists: to be called after each change of an event, of its seats too. */
  forget(): void {
    void this.#cache.invalidate(events);
  }

  #keep<T>(name: string, find: (store: EventStore) => T): Promise<T> {
    // The minute is a part of the name, since an event leaves the lists when it ends.
    const minute = toLocalText(this.#store.now());
    const key = { name: `${name} at ${minute}`, ttlMs, tags: [events] };
    return this.#cache.do(key, () => find(this.#store));
  }
}
