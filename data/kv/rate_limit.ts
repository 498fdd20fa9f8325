import type { RateLimitStore } from "../../mod.ts";
import { leftMs, maxTries, pause, type Place } from "./connection.ts";

/** The rate of a bucket. */
interface Rule {
  readonly rate: number;
  readonly burst: number;
}

interface Taker {
  readonly rule: Rule;
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Stores a bucket as the time at which it is full again and its entry expires. A request costs one read and, if
 * allowed, one write. Requests of one client that arrive during a change of its bucket are decided together by
 * the next change. A refusal writes nothing, so that a flood from one client does not load the store. If one
 * replica's clock is ahead, clients wait longer on the others, at most as long as an empty bucket takes to fill.
 */
export class KvRateLimitStore implements RateLimitStore {
  readonly #place: Place;
  /** The waiting requests by bucket key: only one change of a bucket runs at a time. */
  readonly #takers = new Map<string, Taker[]>();

  constructor(place: Place) {
    this.#place = place;
  }

  take(key: string, rule: Rule): Promise<number> {
    return new Promise((resolve, reject) => {
      const taker = { rule, resolve, reject };
      const takers = this.#takers.get(key);
      if (takers !== undefined) return void takers.push(taker);
      this.#takers.set(key, [taker]);
      void this.#serve(key);
    });
  }

  /** Decides all requests that wait for a bucket, including those that arrive meanwhile. */
  async #serve(key: string): Promise<void> {
    for (;;) {
      const takers = this.#takers.get(key) ?? [];
      if (takers.length === 0) return void this.#takers.delete(key);
      this.#takers.set(key, []);
      try {
        const waitsMs = await this.#change(key, takers.map(({ rule }) => rule));
        takers.forEach(({ resolve }, index) => resolve(waitsMs[index] ?? 0));
      } catch (error) {
        for (const { reject } of takers) reject(error);
      }
    }
  }

  /** Takes a token for each rule and returns the waiting times. */
  async #change(key: string, rules: readonly Rule[]): Promise<number[]> {
    const { kv, prefix } = this.#place;
    const entryKey = [prefix, "limit", key];
    for (let tries = 1; tries <= maxTries; tries++) {
      const { value, versionstamp } = await kv.get(entryKey);
      const now = this.#place.now();
      const { fullAt, waitsMs } = takeTokens(rules, { fullAt: value, now });
      if (!waitsMs.includes(0)) return waitsMs;
      const { ok } = await kv.atomic()
        .check({ key: entryKey, versionstamp })
        .set(entryKey, fullAt, { expireIn: leftMs(fullAt, now) })
        .commit();
      if (ok) return waitsMs;
      await pause(tries);
    }
    // Each conflict means that another replica granted a token, so this client floods all of them.
    return rules.map(({ rate }) => 1_000 / rate);
  }
}

/** Takes a token for each rule from a bucket that will be full at `fullAt`. */
function takeTokens(
  rules: readonly Rule[],
  bucket: { readonly fullAt: unknown; readonly now: number },
): { fullAt: number; waitsMs: number[] } {
  const { now } = bucket;
  let fullAt = typeof bucket.fullAt === "number" && bucket.fullAt > now ? bucket.fullAt : now;
  const waitsMs = rules.map(({ rate, burst }) => {
    const tokenMs = 1_000 / rate;
    // A bucket never counts as emptier than empty, because the clock of its writer may be ahead.
    const next = Math.min(fullAt, now + tokenMs * burst) + tokenMs;
    const waitMs = next - now - tokenMs * burst;
    // Tolerates rounding errors in sums of fractional milliseconds.
    if (waitMs > 1e-3) return waitMs;
    fullAt = next;
    return 0;
  });
  return { fullAt, waitsMs };
}
