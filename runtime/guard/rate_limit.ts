import { type HttpError, httpError } from "../base/errors/errors.ts";
import { perApplication } from "../base/keys.ts";
import { clientKey, siteOf } from "../base/open_counter.ts";
import { findStores, noteMemoryState, noteStoreState } from "../base/stores/stores.ts";
import type { RateLimit, RateLimitStore } from "../base/config/settings.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import type { MiddlewareHandler, Result } from "../base/ctx/route.ts";
import { nodeCrypto } from "../base/node.ts";

/** The maximum number of clients of a store in memory: 65,536 use about 10 MB. */
const maxClients = 65_536;

/** Maximum number of IPv6 clients of one site (a /48) that may be at their limit at the same time. */
const siteClients = 1_024;

/** The burst of such a site, in requests: each may open a bucket. */
const maxSiteBurst = 16_384;
const maxLooks = 64;

type Bucket = Pick<RateLimit, "rate" | "burst">;

/** Returns the wait of a client's bucket in milliseconds, 0 without a bucket. Takes no token. */
let ownWaitMs: (store: MemoryRateLimitStore, key: string, limit: Bucket) => number;

const tellEveryMs = 60_000;

/** Options of {@link MemoryRateLimitStore}. */
export interface MemoryRateLimitOptions {
  /** Maximum number of buckets. @default 65536 */
  readonly maxClients?: number;
  /** The time in milliseconds, for tests. @default performance.now */
  readonly now?: () => number;
}

/**
 * Keeps buckets in the memory of this process. A bucket is one number: when it will be full again. Only full
 * buckets are evicted, since a full bucket equals a missing one. While there is none, new clients share a
 * single bucket, so a flood of addresses resets no client's limit.
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
  static {
    ownWaitMs = (store, key, limit) => store.#ownWaitMs(key, limit);
  }

  readonly #fullAt = new Map<string, number>();
  // Kept, so that each search continues where the last one ended.
  #hand = this.#fullAt.entries();
  #overflowFullAt = 0;
  readonly #maxClients: number;
  readonly #now: () => number;

  /**
   * Creates a store without buckets.
   *
   * @throws {RangeError} for an invalid number of clients.
   */
  constructor(options: MemoryRateLimitOptions = {}) {
    this.#maxClients = options.maxClients ?? maxClients;
    if (!Number.isSafeInteger(this.#maxClients) || this.#maxClients < 1) {
      throw new RangeError(
        `Cannot set maxClients to "${this.#maxClients}": use an integer from 1 up.`,
      );
    }
    this.#now = options.now ?? (() => performance.now());
  }

  /** Number of clients with their own bucket. */
  get size(): number {
    return this.#fullAt.size;
  }

  /** Takes one token and returns 0, or returns the milliseconds until one is available. */
  take(key: string, limit: { readonly rate: number; readonly burst: number }): number {
    const now = this.#now();
    const own = this.#fullAt.get(key) ?? (this.#makeRoom(now) ? now : undefined);
    const [next, waitMs] = afterToken(own ?? this.#overflowFullAt, limit, now);
    if (waitMs > 0) return waitMs;
    if (own === undefined) this.#overflowFullAt = next;
    else this.#fullAt.set(key, next);
    return 0;
  }

  #ownWaitMs(key: string, limit: Bucket): number {
    const fullAt = this.#fullAt.get(key);
    return fullAt === undefined ? 0 : afterToken(fullAt, limit, this.#now())[1];
  }

  /** Reports whether another bucket fits, if necessary by evicting a full one. */
  #makeRoom(now: number): boolean {
    if (this.#fullAt.size < this.#maxClients) return true;
    for (let look = 0; look < maxLooks; look++) {
      let next = this.#hand.next();
      if (next.done === true) next = (this.#hand = this.#fullAt.entries()).next();
      const [key, fullAt = 0] = next.value ?? [];
      if (key !== undefined && fullAt <= now) return this.#fullAt.delete(key);
    }
    return false;
  }
}

/** Returns when a bucket is full again after one more token, and the wait if it has none. */
function afterToken(fullAt: number, limit: Bucket, now: number): [next: number, waitMs: number] {
  const tokenMs = 1_000 / limit.rate;
  const next = Math.max(fullAt, now) + tokenMs;
  const waitMs = next - now - tokenMs * limit.burst;
  // Sums of fractional milliseconds are slightly inexact.
  return [next, waitMs > 1e-6 ? waitMs : 0];
}

/** Options of {@link limit}. */
export interface LimitOptions {
  /** Store of the buckets. @default the memory of this process, for this limit and this application */
  readonly store?: RateLimitStore;
  /** Distinguishes limits that share a store. @default rate and burst */
  readonly name?: string;
  /**
   * Returns the key to limit by instead of the client's address, such as the account of a sign-in or an API
   * token. A request without a key is limited by its address.
   *
   * @default the client's address
   */
  readonly key?: (c: Ctx) => string | undefined | Promise<string | undefined>;
}

/**
 * Returns a middleware that limits how often one client may call the routes below it. Beyond the limit the
 * response is a 429 with `Retry-After`, and a security event of the kind `rate` is reported. Clients are
 * identified by `c.clientIp`; for IPv6 by its first 64 bits, which belong to one household or server. Each
 * application counts separately.
 *
 * @param rate The sustained rate, in requests per second.
 * @param burst The maximum number of requests at once.
 * @throws {RangeError} for a rate or a burst that allows no request.
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
  const { store, ...rest } = options;
  const take = compileRateLimit({ rate, burst, ...(store === undefined ? {} : { store }) }, {
    setting: `limit(${rate}, ${burst})`,
    ...rest,
  });
  return (c, next) => {
    const refusal = take(c);
    if (!(refusal instanceof Promise)) return refusal ?? next();
    return refusal.then<Result>((error) => error ?? next());
  };
}

/** Counts a request; returns an error when it exceeds the limit. */
export type RateCheck = (c: Ctx) => Refusal;
type Refusal = HttpError | undefined | Promise<HttpError | undefined>;

/** Compiles a limit. @throws {RangeError} or {TypeError} naming the setting, its value and the fix. */
export function compileRateLimit(
  limit: RateLimit,
  options: { readonly setting: string } & Pick<LimitOptions, "name" | "key">,
): RateCheck {
  const { rate, burst, store } = limit;
  const { setting, name = `${rate}/${burst}`, key } = options;
  checkLimit(limit, setting, name);
  if (key !== undefined && typeof key !== "function") {
    throw new TypeError(
      `Cannot set the key of ${setting}: use a function of the context that returns a string.`,
    );
  }
  if (store === undefined) noteStoreState(setting, "limits");
  else if (store instanceof MemoryRateLimitStore) {
    noteMemoryState(setting, "leave its store out and provideStores(app, …) in Setup");
  }
  const bucket = { rate, burst };
  const findStore = perApplication((app) => findStores(app).limits ?? new MemoryRateLimitStore());
  const site = {
    rate: rate * siteClients,
    burst: Math.max(burst, Math.min(burst * siteClients, maxSiteBurst)),
  };
  const take = (c: Ctx, who: string): Refusal => {
    const used = store ?? findStore(c.app);
    const client = `${name} ${who}`;
    // Shared stores have room for every client.
    const group = used instanceof MemoryRateLimitStore ? siteOf(who) : undefined;
    if (used instanceof MemoryRateLimitStore && group !== undefined) {
      // A client at its own limit takes no tokens from its site, which is checked before a bucket is opened: a
      // site with more addresses than there are buckets cannot use up all of them.
      const ms = ownWaitMs(used, client, bucket) || used.take(`${name} ${group}`, site);
      if (ms > 0) return refuse(c, ms);
    }
    const waitMs = used.take(client, bucket);
    if (typeof waitMs === "number") return waitMs > 0 ? refuse(c, waitMs) : undefined;
    return waitMs.then((ms) => ms > 0 ? refuse(c, ms) : undefined);
  };
  let toldAt = -Infinity;
  return (c) => {
    // An export requests pages as fast as possible, and no client can impersonate one.
    if (c.isExport) return undefined;
    // A failed store must not take the application down.
    const failed = (error: unknown): undefined => {
      const now = performance.now();
      if (now - toldAt < tellEveryMs) return undefined;
      toldAt = now;
      c.log.error("rate limits are not checked: their store fails", { setting, error });
      return undefined;
    };
    const check = (who: string): Refusal => {
      try {
        const refusal = take(c, who);
        return refusal instanceof Promise ? refusal.catch(failed) : refusal;
      } catch (error) {
        return failed(error);
      }
    };
    // An error of the application's `key` is treated as the handler's, not the store's.
    return key === undefined ? check(clientKey(c.clientIp)) : ownKey(c, key).then(check);
  };
}

function checkLimit({ rate, burst, store }: RateLimit, setting: string, name: string): void {
  const fault = !(rate > 0 && Number.isFinite(rate))
    ? `set the rate of ${setting} to "${rate}": use a number above 0`
    : !(burst >= 1 && Number.isFinite(burst))
    ? `set the burst of ${setting} to "${burst}": use 1 or more`
    : !/^[\x21-\x7e]{1,40}$/.test(name)
    ? `name ${setting} "${name}": use 1 to 40 characters of printable ASCII, without spaces`
    : undefined;
  if (fault !== undefined) throw new RangeError(`Cannot ${fault}.`);
  if (store === undefined || typeof store.take === "function") return;
  throw new TypeError(
    `Cannot set the store of ${setting}: use an object with a function take, such as sqliteStores(db).limits.`,
  );
}

async function ownKey(c: Ctx, key: NonNullable<LimitOptions["key"]>): Promise<string> {
  const own = await key(c);
  if (own === undefined) return clientKey(c.clientIp);
  // A digest, because clients choose such keys: they may be long or look like an address.
  return `key ${nodeCrypto().createHash("sha256").update(own).digest("base64url")}`;
}

function refuse(c: Ctx, waitMs: number): HttpError {
  c.app.security.report(c, "rate");
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return httpError(429, `Too many requests. Try again in ${seconds} s.`, {
    code: "rate_limited",
    headers: { "retry-after": String(seconds) },
  });
}
