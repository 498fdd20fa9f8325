import {
  type Application,
  type Ctx,
  MemoryRateLimitStore,
  noteMemoryState,
  type RateLimitStore,
} from "../mod.ts";
import {
  askStore,
  digestOf,
  findApplication,
  findStores,
  noteStoreState,
  perApplication,
} from "../runtime/addon.ts";

/** Options of {@link createAttempts}. */
export interface AttemptOptions {
  /** Sustained rate of attempts, per second. @default 0.1 */
  readonly rate?: number;
  /** Maximum number of attempts in a burst. @default 10 */
  readonly burst?: number;
  /**
   * Store of the counters, or a function that returns an application's store. @default the store of
   * `provideStores`, else the memory of the process
   */
  readonly store?: RateLimitStore | ((app: Application) => RateLimitStore);
}

/** The attempt counters of an application, as returned by {@link createAttempts}. */
export interface Attempts {
  /**
   * Counts an attempt, before the secret is checked. In a transaction of the store's database, a rollback would take the
   * attempt back: call it outside.
   *
   * @param key The target of the attempt, in one spelling and of any length, such as `address ada@example.org`.
   * @returns 0 if the attempt is allowed, else the milliseconds to wait; a refused attempt is not counted.
   * @throws {HttpError} 503 `attempt_store_failed`, so that a failing store does not allow unlimited guesses.
   */
  take(at: Ctx | Application, key: string): Promise<number>;
}

/**
 * Counts sign-in attempts and guessed codes per account. `limit` counts per client, but many clients can
 * attack one account. Processes that share a store share the counters. Use a separate key for a browser that
 * has signed in before, so that strangers' guesses do not lock the owner out.
 *
 * @throws {RangeError} for a rate or burst that would refuse every attempt.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { createAttempts } from "@fw/fw/auth";
 *
 * const attempts = createAttempts({ rate: 0.1, burst: 2 });
 * const app = new App();
 * for (let guess = 0; guess < 2; guess++) {
 *   assertEquals(await attempts.take(app, "address ada@example.org"), 0);
 * }
 * console.assert(await attempts.take(app, "address ada@example.org") > 9_000);
 * ```
 */
export function createAttempts(options: AttemptOptions = {}): Attempts {
  const { rate = 0.1, burst = 10, store = providedAttempts() } = options;
  if (!(rate > 0 && rate < Infinity && burst >= 1 && burst < Infinity)) {
    throw new RangeError(
      `Cannot count attempts with rate "${rate}" and burst "${burst}": use a rate above 0 and a burst from 1 up.`,
    );
  }
  if (store instanceof MemoryRateLimitStore) {
    noteMemoryState("sign-in attempts", "leave its store out and provideStores(app, …) in Setup");
  }
  const storeOf = perApplication((app) => typeof store === "function" ? store(app) : store);
  return {
    take: async (at, key) => {
      const used = storeOf(findApplication(at));
      const name = `attempt ${digestOf(`${rate}/${burst} ${key}`)}`;
      return await askStore("attempt", () => used.take(name, { rate, burst }));
    },
  };
}

function providedAttempts(): (app: Application) => RateLimitStore {
  noteStoreState("sign-in attempts", "attempts");
  return (app) => findStores(app).attempts ?? new MemoryRateLimitStore();
}
