/**
 * Stores and channels on Redis 7 or Valkey, for replicas on several machines. The application
 * creates and passes the client: `npm:redis`, `npm:ioredis` or `npm:iovalkey`.
 *
 * @module
 */
export type { IoRedisClient, NodeRedisClient, RedisClient } from "./client.ts";
export { redisStores, type RedisStoresOptions } from "./stores.ts";
