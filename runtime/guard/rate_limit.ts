import { type HttpError, httpError } from "../base/errors.ts";
import { formatIp, parseIp } from "../base/ip.ts";
import { noteMemoryState } from "../base/memory_state.ts";
import type { Ctx, MiddlewareHandler, RateLimit, RateLimitStore, Result } from "../base/types.ts";

/** How many clients a store in memory tells apart: 65,536 take about 10 MB. */
const maxClients = 65_536;

/** How many buckets are looked at to find a full one for a newcomer. */
const maxLooks = 64;

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitOptions {
  /** How many buckets it holds. @default 65536 */
  readonly maxClients?: number;
  /** The time in milliseconds, for tests. @default performance.now */
  readonly now?: () => number;
}

/**
 * Keeps buckets in the memory of this process. A bucket is one number: when it will be full again. Only
 * full buckets make room for newcomers, since a full one says no more than none; while there is none,
 * newcomers share a single bucket. A flood of addresses therefore frees nobody from their limit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { MemoryRateLimitStore } from "@fw/fw";
 *
 * const store = new MemoryRateLimitStore({ now: () => 0 });
 * const limit = { rate: 2, burst: 1 };
 * assertEquals(store.take("ada", limit), 0);
 * assertEquals(store.take("ada", limit), 500);
 * ```
 */
export class MemoryRateLimitStore implements RateLimitStore {
  readonly #slots = new Map<string, number>();
  readonly #keys: string[] = [];
  readonly #fullAt: Float64Array;
  readonly #maxClients: number;
  readonly #now: () => number;
  #overflowFullAt = 0;
  #hand = 0;

  /**
   * Makes a store without buckets.
   *
   * @throws {RangeError} for a number of clients that it cannot hold.
   */
  constructor(options: MemoryRateLimitOptions = {}) {
    this.#maxClients = options.maxClients ?? maxClients;
    if (!Number.isSafeInteger(this.#maxClients) || this.#maxClients < 1) {
      throw new RangeError(
        `Cannot set maxClients to "${this.#maxClients}": give a whole number from 1 up.`,
      );
    }
    this.#now = options.now ?? (() => performance.now());
    this.#fullAt = new Float64Array(this.#maxClients);
  }

  /** How many clients have a bucket of their own. */
  get size(): number {
    return this.#slots.size;
  }

  /** Takes one token; gives 0, or the milliseconds until there is one. */
  take(key: string, limit: { readonly rate: number; readonly burst: number }): number {
    const now = this.#now();
    const slot = this.#slots.get(key) ?? this.#openSlot(key, now);
    const fullAt = slot === undefined ? this.#overflowFullAt : this.#fullAt[slot] ?? 0;
    const tokenMs = 1_000 / limit.rate;
    const next = Math.max(fullAt, now) + tokenMs;
    const waitMs = next - now - tokenMs * limit.burst;
    // Sums of fractions of a millisecond are a little off.
    if (waitMs > 1e-6) return waitMs;
    if (slot === undefined) this.#overflowFullAt = next;
    else this.#fullAt[slot] = next;
    return 0;
  }

  /** A slot for a newcomer: a new one, or that of a full bucket; `undefined` when there is none. */
  #openSlot(key: string, now: number): number | undefined {
    const slot = this.#keys.length < this.#maxClients ? this.#keys.length : this.#findFull(now);
    if (slot === undefined) return undefined;
    const old = this.#keys[slot];
    if (old !== undefined) this.#slots.delete(old);
    this.#keys[slot] = key;
    this.#slots.set(key, slot);
    this.#fullAt[slot] = now;
    return slot;
  }

  /** Goes on where the last search ended, so that each one is short. */
  #findFull(now: number): number | undefined {
    for (let looks = Math.min(maxLooks, this.#maxClients); looks > 0; looks--) {
      const slot = this.#hand;
      this.#hand = (slot + 1) % this.#maxClients;
      if ((this.#fullAt[slot] ?? 0) <= now) return slot;
    }
    return undefined;
  }
}

/** Options of {@link limit}. */
export interface LimitOptions {
  /** Where the buckets are. @default the memory of this process, for this limit alone */
  readonly store?: RateLimitStore;
  /** Tells limits that share a store apart. @default rate and burst */
  readonly name?: string;
}

/**
 * Makes a middleware that limits how often one client may call the routes below it. Beyond the limit
 * the answer is 429 with `Retry-After`, and a security event of the kind `rate`. Clients are told apart
 * by `c.clientIp`; of IPv6 the first 64 bits count, which one household or server has to itself.
 *
 * @param rate How many requests a second in the long run.
 * @param burst How many requests at once.
 * @throws {RangeError} for a rate or a burst that lets nothing through.
 * @example
 * ```ts
 * import { limit } from "@fw/fw";
 * import { testRoute } from "@fw/fw/testing";
 *
 * const middleware = [{ Middleware: limit(1, 1) }];
 * const route = { pattern: "/api", middleware, methods: { GET: () => new Response("ok") } };
 * await testRoute(route, "GET", "/api").wantStatus(200);
 * ```
 */
export function limit(rate: number, burst: number, options: LimitOptions = {}): MiddlewareHandler {
  const { name, store } = options;
  const take = compileRateLimit({ rate, burst, ...(store === undefined ? {} : { store }) }, {
    setting: `limit(${rate}, ${burst})`,
    ...(name === undefined ? {} : { name }),
  });
  return (c, next) => {
    const refusal = take(c);
    if (!(refusal instanceof Promise)) return refusal ?? next();
    return refusal.then<Result>((error) => error ?? next());
  };
}

/** Counts a request; gives the error to answer with when it is one too many. */
export type RateCheck = (c: Ctx) => HttpError | undefined | Promise<HttpError | undefined>;

/**
 * Compiles a limit.
 *
 * @throws {RangeError} or {TypeError} naming the setting, its value and the fix.
 */
export function compileRateLimit(
  limit: RateLimit,
  options: { readonly setting: string; readonly name?: string },
): RateCheck {
  const { rate, burst, store = new MemoryRateLimitStore() } = limit;
  const { setting, name = `${rate}/${burst}` } = options;
  if (!(rate > 0 && Number.isFinite(rate))) {
    throw new RangeError(`Cannot set the rate of ${setting} to "${rate}": give a number above 0.`);
  }
  if (!(burst >= 1 && Number.isFinite(burst))) {
    throw new RangeError(`Cannot set the burst of ${setting} to "${burst}": give 1 or more.`);
  }
  if (typeof store.take !== "function") {
    throw new TypeError(
      `Cannot set the store of ${setting}: give an object with a function take, such as kvRateLimitStore(kv).`,
    );
  }
  if (name.length > 40 || !/^[\x21-\x7e]+$/.test(name)) {
    throw new RangeError(
      `Cannot name ${setting} "${name}": give 1 to 40 characters of printable ASCII.`,
    );
  }
  if (store instanceof MemoryRateLimitStore) {
    noteMemoryState(
      setting,
      "set its store to kvRateLimitStore(kv) of @fw/fw/kv, or divide the rate",
    );
  }
  const bucket = { rate, burst };
  return (c) => {
    // An export asks for every page as fast as it can, and no client can pass for one.
    if (c.isExport) return undefined;
    // A store that is down must not take the application with it.
    const failed = (error: unknown): undefined =>
      void c.log.error("the rate limit was not checked: its store failed", { error });
    try {
      const waitMs = store.take(`${name} ${clientKey(c.clientIp)}`, bucket);
      if (typeof waitMs === "number") return waitMs > 0 ? refuse(c, waitMs) : undefined;
      return waitMs.then((ms) => ms > 0 ? refuse(c, ms) : undefined, failed);
    } catch (error) {
      return failed(error);
    }
  };
}

/** What clients are told apart by; those without an address share a bucket. */
function clientKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  if (!ip.includes(":")) return ip;
  const address = parseIp(ip);
  return address === undefined ? ip : formatIp([...address.slice(0, 4), 0, 0, 0, 0]);
}

function refuse(c: Ctx, waitMs: number): HttpError {
  c.app.security.report(c, "rate");
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return httpError(429, `Too many requests. Try again in ${seconds} s.`, {
    code: "rate_limited",
    headers: { "retry-after": String(seconds) },
  });
}
