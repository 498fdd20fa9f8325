import type { RateLimitStore } from "../../mod.ts";
import { checkPrefix, type Kv } from "./connection.ts";

/** Maximum number of retries after a conflicting write. */
const maxTries = 16;

/** The most that is waited before another try, doubled from 1 ms on. */
const maxPauseMs = 32;

/** Options of {@link kvRateLimitStore}. */
export interface KvRateLimitOptions {
  /** The first part of every key: 1 to 64 characters of printable ASCII. @default "fw_rate" */
  readonly prefix?: string;
  /** The time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps the buckets of a rate limit in Deno KV, so that replicas share them. A bucket is one number,
 * when it will be full again, and vanishes then. A request costs one read and, where it is let
 * through, one write; requests of one client that come while its bucket is being changed are decided
 * together by the next change. A refusal writes nothing, so that a flood from one client does not load
 * the store. Where the store fails, `take` rejects: the limiter logs it and lets the request through.
 *
 * The replicas' clocks should agree to within the time of a token: one that is ahead keeps clients of
 * the others waiting, at most as long as an empty bucket takes to fill.
 *
 * @param kv The opened store, `await Deno.openKv()`; who opened it closes it.
 * @throws {TypeError} for a prefix that is empty, longer than 64 characters or not printable ASCII.
 * @example
 * ```ts
 * import { limit, type MiddlewareHandler } from "@fw/fw";
 * import { type Kv, kvRateLimitStore } from "@fw/fw/kv";
 *
 * function limitApi(kv: Kv): MiddlewareHandler {
 *   return limit(5, 20, { store: kvRateLimitStore(kv), name: "api" });
 * }
 * console.assert(limitApi.length === 1);
 * ```
 */
export function kvRateLimitStore(kv: Kv, options: KvRateLimitOptions = {}): RateLimitStore {
  const { prefix = "fw_rate", now = Date.now } = options;
  checkPrefix("rate limits", prefix);
  return new KvRateLimitStore(kv, { prefix, now });
}

/** The rates of a bucket. */
interface Rule {
  readonly rate: number;
  readonly burst: number;
}

/** A request that waits for its token. */
interface Taker {
  readonly rule: Rule;
  readonly resolve: (waitMs: number) => void;
  readonly reject: (error: unknown) => void;
}

class KvRateLimitStore implements RateLimitStore {
  readonly #kv: Kv;
  readonly #prefix: string;
  readonly #now: () => number;
  /** Waiting callers, by the key of a bucket that is being changed: only one change at a time is under way. */
  readonly #takers = new Map<string, Taker[]>();

  constructor(kv: Kv, options: { readonly prefix: string; readonly now: () => number }) {
    this.#kv = kv;
    this.#prefix = options.prefix;
    this.#now = options.now;
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
    const entryKey = [this.#prefix, key];
    for (let tries = 1; tries <= maxTries; tries++) {
      const { value, versionstamp } = await this.#kv.get(entryKey);
      const now = this.#now();
      const { fullAt, waitsMs } = takeTokens(rules, { fullAt: value, now });
      if (!waitsMs.includes(0)) return waitsMs;
      const { ok } = await this.#kv.atomic()
        .check({ key: entryKey, versionstamp })
        .set(entryKey, fullAt, { expireIn: Math.max(1, Math.ceil(fullAt - now)) })
        .commit();
      if (ok) return waitsMs;
      await pause(Math.random() * Math.min(maxPauseMs, 2 ** tries));
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

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
