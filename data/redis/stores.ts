import type { RateLimitStore, Stores } from "../../mod.ts";
import { copyChannels, type OnceStore } from "../../runtime/addon.ts";
import { markedCache } from "../stores/marked_cache.ts";
import { redisEntries } from "./cache.ts";
import { redisChannels } from "./channels.ts";
import { openConnection, type Place, type RedisClient, script } from "./client.ts";
import { redisPasskeys } from "./passkeys.ts";
import { redisSessions } from "./sessions.ts";

/** Options of {@linkcode redisStores}. */
export interface RedisStoresOptions {
  /** The prefix of every key: 1 to 64 characters of printable ASCII without braces. @default "fw:" */
  readonly prefix?: string;
  /** Timeout of a command, in milliseconds, detected up to 250 ms late. @default 1_000 */
  readonly timeoutMs?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels on a server of Redis 7 or Valkey.
 * Keys that change together share a hash tag, as clusters require; the channels of one prefix are in
 * one slot. Only the 1,000 most recently used sessions of an owner are kept. The server must not evict
 * sessions: set `maxmemory-policy` to `noeviction` or `volatile-ttl` and give it enough memory.
 *
 * @param client A connected client of `npm:redis` (`createClient`, `createCluster`), `npm:ioredis`
 * or `npm:iovalkey`; the application closes it.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a malformed prefix, and for an object that is not a client; `RangeError` for a deadline.
 * @example
 * ```ts
 * import { type Application, provideStores } from "@fw/fw";
 * import { type RedisClient, redisStores } from "@fw/fw/redis";
 *
 * // import { createClient } from "npm:redis@6"; const client = await createClient({ url }).connect();
 * export function share(app: Application, client: RedisClient): void {
 *   provideStores(app, redisStores(client, { prefix: "events:" }));
 * }
 * ```
 */
export function redisStores(
  client: RedisClient,
  options: RedisStoresOptions = {},
): Required<Stores> {
  const { prefix = "fw:", timeoutMs = 1_000, now = Date.now } = options;
  if (!/^[\x21-\x7e]{1,64}$/.test(prefix) || /[{}]/.test(prefix)) {
    throw new TypeError(
      `Cannot create stores with the prefix "${prefix}": use 1 to 64 characters of printable ASCII without braces.`,
    );
  }
  if (!(timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
    throw new RangeError(`Cannot create stores: timeoutMs is ${timeoutMs}; use 1 or more.`);
  }
  if (!("call" in client) && !("sendCommand" in client)) {
    throw new TypeError(
      "Cannot create stores: pass a client of npm:redis, npm:ioredis or npm:iovalkey.",
    );
  }
  const place: Place = { server: openConnection(client, timeoutMs), prefix, now };
  const sessions = redisSessions(place);
  const limits = redisLimits(place);
  return {
    limits,
    attempts: limits,
    cache: markedCache(redisEntries(place)),
    sessions,
    tokens: sessions,
    passkeys: redisPasskeys(place),
    once: redisOnce(place),
    channels: copyChannels(redisChannels(place)),
    check: async () => {
      const key = `${prefix}check`;
      await place.server.send(key, ["GET", key]).catch((cause) => {
        if (!/^(?:WRONGPASS|NOAUTH|NOPERM)\b/.test(Object(cause).message)) throw cause;
        const fix = "correct the user and the password of the client, or its rights (ACL)";
        throw new Error(`Cannot use Redis: ${cause.message}. Fix: ${fix}.`, { cause });
      });
    },
  };
}

/**
 * One round trip, by the server's clock; a refusal writes nothing. Numbers are text, as Redis
 * truncates Lua's.
 */
const takeToken = script(`
  local call = redis.call
  local time = call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local token, full = ARGV[1], tonumber(call('GET', KEYS[1]) or 0)
  if full < now then full = now end
  local wait = full - now - token * (ARGV[2] - 1)
  if wait > 0.001 then return string.format('%.3f', wait) end
  full = full + token
  call('PSETEX', KEYS[1], math.ceil(full - now) + 1, string.format('%.3f', full))
  return '0'
`);

function redisLimits({ server, prefix }: Place): RateLimitStore {
  return {
    take: async (key, { rate, burst }) => {
      const args = [1_000 / rate, burst];
      return Number(await server.run(takeToken, { keys: [`${prefix}limit:${key}`], args }));
    },
  };
}

function redisOnce({ server, prefix }: Place): OnceStore {
  return {
    take: async (name, ttlMs) => {
      const key = `${prefix}once:${name}`;
      const ttl = String(Math.max(1, Math.ceil(ttlMs)));
      return await server.send(key, ["SET", key, "1", "NX", "PX", ttl]) !== null;
    },
  };
}
