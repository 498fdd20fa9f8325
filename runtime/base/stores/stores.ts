import type { RateLimitStore } from "../config/settings.ts";
import type { Application } from "../ctx/application.ts";
import type { Ctx } from "../ctx/ctx.ts";
import { key, provide, useIfProvided } from "../keys.ts";
import { type ChannelStore, memoryChannels } from "./channel_store.ts";
import type { CacheStore } from "./cache.ts";
import type { SessionStore } from "./session.ts";

/** Where replicas share what the framework keeps; what is left out stays in memory. */
export interface Stores {
  /** The buckets of rate limits. */
  readonly limits?: RateLimitStore;
  /** The values of caches. */
  readonly cache?: CacheStore;
  /** Sign-in sessions. */
  readonly sessions?: SessionStore;
  /** The messages of channels. */
  readonly channels?: ChannelStore;
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
  provide(app, Provided, stores);
}

/** Returns the stores of an application: none without {@link provideStores}. */
export function findStores(owner: Application | Ctx): Stores {
  return useIfProvided(owner, Provided) ?? none;
}

const none: Stores = {};
const ownChannels: WeakMap<Application, ChannelStore> = new WeakMap();

/** Returns where an application keeps its channels. */
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
