import type { RateLimitStore } from "../../mod.ts";
import { leftMs, maxTries, pause, type Place } from "./connection.ts";

type Rule = Parameters<RateLimitStore["take"]>[1];
type Taker = Omit<PromiseWithResolvers<number>, "promise"> & { readonly rule: Rule };

/**
 * Stores a bucket as the time at which it is full again and its entry expires. A request costs one read and, if
 * allowed, one write. Requests of one client that arrive during a change of its bucket are decided together by
 * the next change. A refusal writes nothing, so that a flood from one client does not load the store. If one
 * replica's clock is ahead, clients wait longer on the others, at most as long as an empty bucket takes to fill.
 */
export function kvLimits({ kv, prefix, now }: Place): RateLimitStore {
  /** The waiting requests by bucket: only one change of a bucket runs at a time. */
  const waiting = new Map<string, Taker[]>();
  /** Takes a token for each rule and returns the waiting times. */
  const change = async (name: string, rules: readonly Rule[]): Promise<number[]> => {
    const key = [prefix, "limit", name];
    for (let tries = 1; tries <= maxTries; tries++) {
      const { value, versionstamp } = await kv.get(key);
      const nowMs = now();
      const { fullAt, waitsMs } = takeTokens(rules, { fullAt: value, now: nowMs });
      if (!waitsMs.includes(0)) return waitsMs;
      const expireIn = leftMs(fullAt, nowMs);
      const { ok } = await kv.atomic().check({ key, versionstamp }).set(key, fullAt, { expireIn })
        .commit();
      if (ok) return waitsMs;
      await pause(tries);
    }
    // Each conflict means that another replica granted a token, so this client floods all of them.
    return rules.map(({ rate }) => 1_000 / rate);
  };
  /** Decides all requests that wait for a bucket, including those that arrive meanwhile. */
  const serve = async (name: string): Promise<void> => {
    for (let takers = waiting.get(name); takers?.length; takers = waiting.get(name)) {
      waiting.set(name, []);
      try {
        const waitsMs = await change(name, takers.map(({ rule }) => rule));
        takers.forEach(({ resolve }, index) => resolve(waitsMs[index] ?? 0));
      } catch (error) {
        for (const { reject } of takers) reject(error);
      }
    }
    waiting.delete(name);
  };
  return {
    take: (name, rule) =>
      new Promise((resolve, reject) => {
        const taker = { rule, resolve, reject };
        if (waiting.get(name)?.push(taker) !== undefined) return;
        waiting.set(name, [taker]);
        void serve(name);
      }),
  };
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
