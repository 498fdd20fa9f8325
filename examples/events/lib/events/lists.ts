import { href, key } from "@fw/fw";
import type { Cache } from "@fw/fw/cache";
import type { CityEvent } from "../city_event.ts";
import { toLocalText } from "../clock.ts";
import { eventParams, type EventQuery } from "./query.ts";
import type { EventPage, EventStore } from "./store.ts";

/** The lists, as `setup.ts` provides them and pages use them: `use(c, Lists)`. */
export const Lists = key<EventLists>("event lists");

/** What every list is made from. */
const events = "events";

/** How old a list may be that another process has changed. */
const ttlMs = 600_000;

/** Keeps the lists that many visitors ask for, until an event changes. */
export class EventLists {
  readonly #store: EventStore;
  readonly #cache: Cache;
  /** When the next event ends. */
  #until: string | undefined;

  /** Takes the store that is asked, and the cache that keeps what it answers. */
  constructor(store: EventStore, cache: Cache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** Finds events that have not ended, by date. */
  async find(query: EventQuery): Promise<EventPage> {
    // Hardly two visitors search for the same words.
    if (query.q !== "") return this.#store.find(query);
    // Looking for all of them once costs as much as looking for the last page.
    const { page: _page, perPage: _perPage, ...filters } = query;
    const ids = await this.#keep(
      `ids ${href("/events", {}, { query: eventParams(filters) })}`,
      (store) => store.findIds(query),
    );
    return await this.#keep(
      `list ${href("/events", {}, { query: eventParams(query) })}`,
      (store) => store.find(query, { ids }),
    );
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
    this.#until = undefined;
    void this.#cache.invalidate(events);
  }

  #keep<T>(name: string, find: (store: EventStore) => T): Promise<T> {
    const key = { name: `${name} ${this.#period()}`, ttlMs, tags: [events] };
    return this.#cache.do(key, () => find(this.#store));
  }

  /**
   * Names the time for which a list holds: a day, and on it until the next event ends. With a shorter one, such
   * as a minute, all lists would be made again at once each time.
   */
  #period(): string {
    const now = toLocalText(this.#store.now());
    if (this.#until === undefined || now >= this.#until) {
      this.#until = this.#store.nextEnd() ?? "9999";
    }
    return `on ${now.slice(0, "2026-05-14".length)} until ${this.#until}`;
  }
}
