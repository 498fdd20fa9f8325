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
 * A bucket is one number, when it will be full again, and vanishes then. A request costs one read and, where it is let
 * through, one write; requests of one client that come while its bucket is being changed are decided together by the
 * next change. A refusal writes nothing, so that a flood from one client does not load the store. A clock that is
 * ahead keeps clients of other replicas waiting, at most as long as an empty bucket takes to fill.
 */
export class KvRateLimitStore implements RateLimitStore {
  readonly #place: Place;
  /** The waiting changes by the key of a bucket: only one change of it runs at a time. */
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

  /** Decides about all requests that wait for a bucket, including those that arrived meanwhile. */
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

  /** Takes a token for each rule and returns the waits. */
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
    // Each failed try is a token that another replica gave: this client floods them all.
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
    // Never emptier than empty: the replica that wrote it may have a clock that is ahead.
    const next = Math.min(fullAt, now + tokenMs * burst) + tokenMs;
    const waitMs = next - now - tokenMs * burst;
    // The sums of fractions of a millisecond are a little off.
    if (waitMs > 1e-3) return waitMs;
    fullAt = next;
    return 0;
  });
  return { fullAt, waitsMs };
}
