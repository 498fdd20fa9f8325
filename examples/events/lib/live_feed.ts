import { key } from "@fw/fw";

/** The feed, as `setup.ts` provides it: `use(c, Feed)`. */
export const Feed = key<LiveFeed>("live feed");

/**
 * Tells open pages that an event has changed. It reaches the pages of this process; several replicas
 * need something between them, such as a `BroadcastChannel`.
 */
export class LiveFeed {
  readonly #listeners: Map<number, Set<() => void>> = new Map();

  /** How many pages follow the event. */
  countOf(eventId: number): number {
    return this.#listeners.get(eventId)?.size ?? 0;
  }

  /** Tells everyone who follows the event that it has changed, or is gone. */
  announce(eventId: number): void {
    for (const listener of this.#listeners.get(eventId) ?? []) listener();
  }

  /**
   * Gives a value at once, and one more after changes, until the signal aborts. Changes that come
   * while the last value is still on its way count as one: a slow reader gets the newest state, never
   * a queue of old ones.
   */
  async *follow(eventId: number, signal: AbortSignal): AsyncGenerator<void> {
    let next = Promise.withResolvers<void>();
    const wake = (): void => next.resolve();
    const listeners = this.#listeners.get(eventId) ?? new Set();
    this.#listeners.set(eventId, listeners.add(wake));
    signal.addEventListener("abort", wake);
    try {
      while (!signal.aborted) {
        next = Promise.withResolvers<void>();
        yield;
        await next.promise;
      }
    } finally {
      signal.removeEventListener("abort", wake);
      listeners.delete(wake);
      if (listeners.size === 0) this.#listeners.delete(eventId);
    }
  }
}
