import type { RateLimitStore } from "../config/settings.ts";
import type { Application } from "../ctx/application.ts";
import type { Ctx } from "../ctx/ctx.ts";
import { findApplication, key, perApplication, provide, useIfProvided } from "../keys.ts";
import { httpError } from "../errors/errors.ts";
import type { HealthCheck } from "../observe/health.ts";
import type { Logger } from "../observe/logger.ts";
import { isThenable } from "../values.ts";
import type { CacheStore } from "./cache.ts";
import { type ChannelStore, memoryChannels } from "./channel_store.ts";
import type { PasskeyStore } from "./passkey.ts";
import type { Awaitable, SessionStore } from "./session.ts";

/** Remembers values that may be used only once: tickets, and the `state` of finished sign-ins. */
export interface OnceStore {
  /**
   * Uses up a name of at most 200 characters of printable ASCII, which is remembered for `ttlMs`. Atomic: of
   * several concurrent calls one gets `true`.
   */
  take(name: string, ttlMs: number): Awaitable<boolean>;
}

/** Stores that replicas share; the state of an omitted one stays in memory. */
export interface Stores {
  /** The buckets of rate limits. */
  readonly limits?: RateLimitStore;
  /** The counters of sign-in attempts; may be the same store as `limits`, because their names differ. */
  readonly attempts?: RateLimitStore;
  /** The values of caches. */
  readonly cache?: CacheStore;
  /** Sign-in sessions. */
  readonly sessions?: SessionStore;
  /** API tokens; may be the same store as `sessions`, because their records differ. */
  readonly tokens?: SessionStore;
  /** Passkeys. */
  readonly passkeys?: PasskeyStore;
  /** Store of values that may be used once. */
  readonly once?: OnceStore;
  /** The messages of channels. */
  readonly channels?: ChannelStore;
  /** The readiness check of the stores: it fails while they cannot be reached. */
  readonly check?: HealthCheck;
}

const Provided = key<Stores>("stores");

/**
 * Moves the framework's in-memory state to stores that replicas share, such as `sqliteStores(db)`. Call it
 * once, in `Setup`. A store set by a setting of its own takes precedence.
 *
 * @throws {TypeError} when stores were provided already.
 * @example
 * ```ts
 * import { App, provideStores } from "@fw/fw";
 * import { memoryChannels } from "@fw/fw/addon";
 *
 * // Two applications of one process that share their channels.
 * const channels = memoryChannels();
 * for (const app of [new App(), new App()]) provideStores(app, { channels });
 * ```
 */
export function provideStores(app: Application, stores: Stores): void {
  const { check, ...named } = stores;
  const help = "Failed calls of a store.";
  const failures = app.metrics.counter("fw_store_failures_total", help, "store");
  const counted = Object.entries(named).map(([name, store]) => {
    const series = failures.with(name);
    return [name, countFailures(store, () => series.inc())];
  });
  provide(app, Provided, Object.fromEntries(counted));
  if (check !== undefined) app.check("stores", check);
}

/** Wraps a store to report each call that throws or rejects. */
function countFailures<S extends object>(store: S, onFailure: () => void): S {
  type Method = (...args: unknown[]) => unknown;
  const methods = new Map<unknown, Method>();
  const wrap = (method: Method): Method => (...args) => {
    try {
      const result = method.apply(store, args);
      // The caller handles the rejection of the promise itself.
      if (isThenable(result)) result.then(undefined, onFailure);
      return result;
    } catch (error) {
      onFailure();
      throw error;
    }
  };
  return new Proxy(store, {
    get: (_, name) => {
      const member: unknown = Reflect.get(store, name, store);
      return typeof member !== "function"
        ? member
        : methods.getOrInsertComputed(member, () => wrap(member as Method));
    },
  });
}

/** Returns the stores of an application: none without {@link provideStores}. */
export function findStores(owner: Application | Ctx): Stores {
  return useIfProvided(owner, Provided) ?? none;
}

const none: Stores = {};

/** Remembers used names in memory. `onFull` is called once, when the oldest is dropped before it expires. */
export function memoryOnce(
  options: { readonly now?: () => number; readonly onFull?: () => void } = {},
): OnceStore {
  const names = new ExpiringNames(options);
  return {
    take: (name, ttlMs) => {
      if (names.has(name)) return false;
      names.add(name, ttlMs);
      return true;
    },
  };
}

const ownChannels = perApplication(memoryChannels);

/** Returns the channel store provided to an application, else its own in memory. */
export function findChannels(owner: Application | Ctx): ChannelStore {
  return findStores(owner).channels ?? ownChannels(findApplication(owner));
}

/** State kept in memory, with the fix and the store that can hold it, if one can. */
const notes = new Map<string, { readonly fix: string; readonly store: keyof Stores | undefined }>();

/** Problems that affect only some users, with the fix, that are not logged yet. */
const warnings = new Map<string, string>();

/** The one line that moves all state; other stores are in the guide. */
const storesFix = "provideStores(app, sqliteStores(db) or postgresStores(db)) in Setup";

/**
 * Records, before the first request, that some state is kept in the memory of this thread alone. In
 * production the application logs these records at boot, since each thread (`deno serve --parallel`) and each
 * process has its own.
 *
 * @param setting The holder of the state, such as `cache "events"`.
 * @param fix How threads and processes can share the state.
 * @example
 * ```ts
 * import { noteMemoryState } from "@fw/fw";
 *
 * noteMemoryState("the free seats", "keep them in a database");
 * ```
 */
export function noteMemoryState(setting: string, fix: string): void {
  notes.set(setting, { fix, store: undefined });
}

/** Records that some state is kept in memory unless the application provides a store for it. */
export function noteStoreState(setting: string, store: keyof Stores): void {
  notes.set(setting, { fix: storesFix, store });
}

/** Records a problem of some users only, such as a session that is too large, for a warning at boot. */
export function noteBootWarning(message: string, fix: string): void {
  warnings.set(message, fix);
}

/** Faults of the configuration, by handler; development and tests work with them. */
const faults = new WeakMap<object, string>();

/** Records a fault, such as a missing variable, with which no application with one of the handlers starts in production. */
export function noteBootFault(message: string, handlers: readonly object[]): void {
  for (const handler of handlers) faults.set(handler, message);
}

/**
 * Logs the records since the last boot whose state is in no store of this application, with the fix.
 *
 * @throws {TypeError} for recorded faults of the application's handlers.
 */
export function logBootNotes(
  log: Logger,
  stores: Stores,
  handlers: readonly (object | undefined)[],
): void {
  const found = [...new Set(handlers.flatMap((each) => each && faults.get(each) || []))];
  if (found.length > 0) throw new TypeError(found.join("\n"));
  for (const [message, fix] of warnings) log.warn(message, { fix });
  warnings.clear();
  const left = [...notes].filter(([, { store }]) =>
    store === undefined || stores[store] === undefined
  );
  notes.clear();
  if (left.length === 0) return;
  log.info("kept in memory: each thread and each process has its own", {
    settings: Object.fromEntries(left.map(([setting, { fix }]) => [setting, fix])),
  });
}

/** Calls a store, synchronously if it is; a failure is a 503 `<kind>_store_failed`. */
export function askStore<T>(
  kind: "session" | "token" | "passkey" | "ticket" | "attempt" | "channel",
  act: () => Awaitable<T>,
): Awaitable<T> {
  const refuse = (cause: unknown): never => {
    const code = `${kind}_store_failed`;
    const headers = { "retry-after": "2" };
    throw httpError(503, `The ${kind} store failed.`, { code, cause, headers });
  };
  try {
    const asked = act();
    // A third-party store may return a thenable.
    return isThenable(asked) ? Promise.resolve(asked).catch(refuse) : asked;
  } catch (error) {
    return refuse(error);
  }
}

/** Number of names checked for expiry per added one: more than one, so that all expired ones are found. */
const looksPerName = 4;

/** Options of {@link ExpiringNames}. */
export interface ExpiringNamesOptions {
  /** @default Date.now */
  readonly now?: () => number;
  /** The maximum number of names kept; the default uses about 10 MB. @default 100000 */
  readonly maxNames?: number;
  /** Called once, when the oldest name is dropped before it expires. */
  readonly onFull?: () => void;
}

/** Keeps names in memory, each until its own expiry; when full, it drops the one added first. */
export class ExpiringNames {
  readonly #options: ExpiringNamesOptions;
  readonly #untilMs: Map<string, number> = new Map();
  // The iterator is kept, because a new one skips all entries removed since the map last grew.
  #names = this.#untilMs.keys();
  #oldest: string | undefined;
  #isFullNoted = false;

  /** Creates an empty set. */
  constructor(options: ExpiringNamesOptions = {}) {
    this.#options = options;
  }

  /** Reports whether a name was added and has not expired. */
  has(name: string): boolean {
    const { now = Date.now } = this.#options;
    return (this.#untilMs.get(name) ?? -Infinity) > now();
  }

  /** Adds a name, or extends the expiry of a known one. */
  add(name: string, ttlMs: number): void {
    const { now = Date.now } = this.#options;
    this.#delete(name);
    this.#makeRoom();
    this.#untilMs.set(name, now() + ttlMs);
  }

  #delete(name: string): void {
    if (name === this.#oldest) this.#oldest = undefined;
    this.#untilMs.delete(name);
  }

  #makeRoom(): void {
    const { maxNames = 100_000, onFull } = this.#options;
    for (let look = 0; look < looksPerName; look++) {
      const oldest = this.#findOldest();
      if (oldest === undefined) return;
      if (this.has(oldest)) {
        if (this.#untilMs.size < maxNames) return;
        if (!this.#isFullNoted) onFull?.();
        this.#isFullNoted = true;
      }
      this.#delete(oldest);
    }
  }

  #findOldest(): string | undefined {
    if (this.#oldest !== undefined) return this.#oldest;
    // A finished iterator does not see entries added later.
    let next = this.#names.next();
    if (next.done === true) next = (this.#names = this.#untilMs.keys()).next();
    return this.#oldest = next.value;
  }
}
