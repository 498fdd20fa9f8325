import { href, key } from "@fw/fw";
import type { Cache } from "@fw/fw/cache";
import type { CityEvent } from "../city_event.ts";
import { toLocalText } from "../clock.ts";
import { eventParams, type EventQuery } from "./query.ts";
import type { EventPage, EventStore } from "./store.ts";

/** The lists provided by `setup.ts` for pages: `use(c, Lists)`. */
export const Lists = key<EventLists>("event lists");

/** The cache tag of every list. */
const events = "events";

/** Maximum age of a list, which another process may have changed. */
const ttlMs = 600_000;

/** Caches frequently requested lists until an event changes. */
export class EventLists {
  readonly #store: EventStore;
  readonly #cache: Cache;
  /** The end of the next event to end. */
  #until: string | undefined;
  /** The number of invalidations, to discard an end that was read earlier. */
  #changes = 0;

  /** Creates lists that read from a store and keep its results in a cache. */
  constructor(store: EventStore, cache: Cache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** Finds events that have not ended, by date. */
  async find(query: EventQuery): Promise<EventPage> {
    // Visitors rarely search for the same words or open the same later page.
    if (query.q !== "" || query.at !== undefined) return await this.#store.find(query);
    return await this.#keep(
      `list ${href("/events", {}, { query: eventParams(query) })}`,
      (store) => store.find(query),
    );
  }

  /** Returns the next event that may be featured on the front page. */
  findFeatured(): Promise<CityEvent | undefined> {
    return this.#keep("featured", (store) => store.findFeatured());
  }

  /** Counts the upcoming events by category. */
  countByCategory(): Promise<ReadonlyMap<string, number>> {
    return this.#keep("categories", (store) => store.countByCategory());
  }

  /** Drops all lists; call it after each change of an event or its seats. */
  forget(): void {
    this.#until = undefined;
    this.#changes++;
    void this.#cache.invalidate(events);
  }

  async #keep<T>(name: string, find: (store: EventStore) => Promise<T>): Promise<T> {
    const key = { name: `${name} ${await this.#period()}`, ttlMs, tags: [events] };
    return await this.#cache.do(key, () => find(this.#store));
  }

  /**
   * Returns a name for the period in which a list is valid: the day, until the next event ends.
   * With a short period such as a minute, all lists would be rebuilt each time.
   */
  async #period(): Promise<string> {
    const now = toLocalText(this.#store.now());
    let until = this.#until;
    if (until === undefined || now >= until) {
      const changes = this.#changes;
      until = await this.#store.nextEnd() ?? "9999";
      if (changes === this.#changes) this.#until = until;
    }
    return `on ${now.slice(0, "2026-05-14".length)} until ${until}`;
  }
}
