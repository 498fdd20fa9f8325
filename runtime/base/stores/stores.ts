import { ExpiringNames } from "./expiring_names.ts";
import type { RateLimitStore } from "../config/settings.ts";
import type { Application } from "../ctx/application.ts";
import type { Ctx } from "../ctx/ctx.ts";
import { key, provide, useIfProvided } from "../keys.ts";
import type { HealthCheck } from "../observe/health.ts";
import type { Logger } from "../observe/logger.ts";
import { isThenable } from "../values.ts";
import type { CacheStore } from "./cache.ts";
import { type ChannelStore, memoryChannels } from "./channel_store.ts";
import type { PasskeyStore } from "./passkey.ts";
import type { Awaitable, SessionStore } from "./session.ts";

/** Remembers what may be used once: tickets, and the states of sign-ins that came back. */
export interface OnceStore {
  /**
   * Uses a name up, in one step: of many calls at once one gets `true`.
   *
   * @param name A string of at most 200 characters of printable ASCII.
   * @param ttlMs How long it is remembered, in milliseconds.
   * @returns Whether this is the first use.
   */
  take(name: string, ttlMs: number): Awaitable<boolean>;
}

/** Stores that replicas share; what is omitted stays in memory. */
export interface Stores {
  /** The buckets of rate limits. */
  readonly limits?: RateLimitStore;
  /** The values of caches. */
  readonly cache?: CacheStore;
  /** Sign-in sessions. */
  readonly sessions?: SessionStore;
  /** Passkeys. */
  readonly passkeys?: PasskeyStore;
  /** The sessions of MCP clients. */
  readonly mcp?: SessionStore;
  /** Store of values that may be used once. */
  readonly once?: OnceStore;
  /** The messages of channels. */
  readonly channels?: ChannelStore;
  /** Fails while the stores cannot be reached: a line of the readiness report. */
  readonly check?: HealthCheck;
}

const Provided = key<Stores>("stores");

/**
 * Moves what the framework keeps in memory to stores that replicas share. Call it once, in `Setup`. A store that a
 * setting names by itself is used in its place.
 *
 * @param app The application.
 * @param stores Such as `sqliteStores(db)`, `postgresStores(db)`, `redisStores(client)` or `kvStores(kv)`.
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
  const help = "Calls of a store that failed.";
  const failures = app.metrics.counter("fw_store_failures_total", help, "store");
  const counted = Object.entries(named).map(([name, store]) => {
    const series = failures.with(name);
    return [name, countFailures(store, () => series.inc())];
  });
  provide(app, Provided, Object.fromEntries(counted));
  if (check !== undefined) app.check("stores", check);
}

/** Returns a store that tells of each call that throws or rejects. */
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

/**
 * Remembers used names in the memory of this process.
 *
 * @param options `onFull` is called once, when the oldest name is dropped before its time.
 */
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

const ownChannels: WeakMap<Application, ChannelStore> = new WeakMap();

export function findChannels(owner: Application | Ctx): ChannelStore {
  const { channels } = findStores(owner);
  if (channels !== undefined) return channels;
  const app = "app" in owner ? owner.app : owner;
  let own = ownChannels.get(app);
  if (own === undefined) {
    own = memoryChannels();
    ownChannels.set(app, own);
  }
  return own;
}

interface Note {
  readonly fix: string;
  /** The store that takes it; `undefined` where none does. */
  readonly store: keyof Stores | undefined;
}

const notes = new Map<string, Note>();

/** Problems that only some users will meet, with the fix, that were not logged yet. */
const warnings = new Map<string, string>();

/** The one line that moves all of it; other stores are in the guide. */
const storesFix = "provideStores(app, sqliteStores(db)) in Setup";

/**
 * Notes that something is kept in the memory of this thread alone. In production the application logs
 * all of it at boot: several threads (`deno serve --parallel`) and several processes each have their own.
 * Note it before the first request.
 *
 * @param setting What keeps it, such as `cache "events"`.
 * @param fix How the threads and processes can share it.
 * @example
 * ```ts
 * import { noteMemoryState } from "@fw/fw";
 *
 * const seats = new Map<string, number>();
 * noteMemoryState("the free seats", "keep them in a database");
 * seats.set("night-ferry", 80);
 * ```
 */
export function noteMemoryState(setting: string, fix: string): void {
  notes.set(setting, { fix, store: undefined });
}

/** Notes that something is kept in memory unless the application provides a store for it. */
export function noteStoreState(setting: string, store: keyof Stores): void {
  notes.set(setting, { fix: storesFix, store });
}

/** Notes what only some users will meet, such as a session that is too large: the application warns of it at boot. */
export function noteBootWarning(message: string, fix: string): void {
  warnings.set(message, fix);
}

/** Logs what was noted since the last application booted and is in no store of this one, with the fix. */
export function logBootNotes(log: Logger, stores: Stores): void {
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
