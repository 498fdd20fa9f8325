/**
 * Stores and channels on Redis 7 or Valkey, for replicas on several machines. The application
 * creates and passes the client: `npm:redis`, `npm:ioredis` or `npm:iovalkey`.
 *
 * @example
 * ```ts
 * import { type Application, provideStores } from "@fw/fw";
 * import { type RedisClient, redisStores } from "@fw/fw/redis";
 *
 * export function share(app: Application, client: RedisClient): void {
 *   provideStores(app, redisStores(client, { prefix: "events:" }));
 * }
 * ```
 *
 * @module
 */
export type { IoRedisClient, NodeRedisClient, RedisClient } from "./client.ts";
export { redisStores, type RedisStoresOptions } from "./stores.ts";
