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
  findStores,
  noteStoreState,
  perApplication,
} from "../runtime/addon.ts";

/** Options of {@link createAttempts}. */
export interface AttemptOptions {
  /** Attempts a second in the long run. @default 0.1 */
  readonly rate?: number;
  /** Attempts at once. @default 10 */
  readonly burst?: number;
  /**
   * Store of the counters; a function returns that of an application. @default the one of `provideStores`, in
   * memory without one
   */
  readonly store?: RateLimitStore | ((app: Application) => RateLimitStore);
}

/** The attempts at the secrets of an application: what {@link createAttempts} returns. */
export interface Attempts {
  /**
   * Counts an attempt, before the secret is checked.
   *
   * @param key What the attempt is at, of any length: `address ada@example.org`.
   * @returns 0, or the milliseconds to wait: then the attempt is refused and not counted.
   * @throws {HttpError} 503 `attempt_store_failed`: no secret is guessed while nothing counts.
   */
  take(at: Ctx | Application, key: string): Promise<number>;
}

/**
 * Counts attempts to sign in, and guesses of codes, by account: `limit` counts those of a client, and many
 * clients can try one account. Processes that share a store share the counters. Give a browser that has signed
 * in before a key of its own, so that the guesses of strangers do not lock the owner out.
 *
 * @throws {RangeError} for a rate or a burst that lets nothing through.
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
      const used = storeOf("app" in at ? at.app : at);
      const name = `attempt ${digestOf(`${rate}/${burst} ${key}`)}`;
      return await askStore("attempt", () => used.take(name, { rate, burst }));
    },
  };
}

function providedAttempts(): (app: Application) => RateLimitStore {
  noteStoreState("sign-in attempts", "attempts");
  return (app) => findStores(app).attempts ?? new MemoryRateLimitStore();
}
