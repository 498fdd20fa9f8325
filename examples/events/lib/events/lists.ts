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
  /** How often the lists were dropped: an end that was read before counts no more. */
  #changes = 0;

  /** Takes the store that is asked, and the cache that keeps what it answers. */
  constructor(store: EventStore, cache: Cache) {
    this.#store = store;
    this.#cache = cache;
  }

  /** Finds events that have not ended, by date. */
  async find(query: EventQuery): Promise<EventPage> {
    // Hardly two visitors search for the same words, or turn to the same page.
    if (query.q !== "" || query.at !== undefined) return await this.#store.find(query);
    return await this.#keep(
      `list ${href("/events", {}, { query: eventParams(query) })}`,
      (store) => store.find(query),
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
    this.#changes++;
    void this.#cache.invalidate(events);
  }

  async #keep<T>(name: string, find: (store: EventStore) => Promise<T>): Promise<T> {
    const key = { name: `${name} ${await this.#period()}`, ttlMs, tags: [events] };
    return await this.#cache.do(key, () => find(this.#store));
  }

  /**
   * Names the time for which a list holds: a day, and on it until the next event ends. With a shorter one, such
   * as a minute, all lists would be made again at once each time.
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
