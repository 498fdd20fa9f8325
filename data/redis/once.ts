import type { RateLimitStore } from "../../mod.ts";
import type { OnceStore } from "../../runtime/addon.ts";
import { type Place, script } from "./client.ts";

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

export function redisLimits({ server, prefix }: Place): RateLimitStore {
  return {
    take: async (key, { rate, burst }) => {
      const args = [1_000 / rate, burst];
      return Number(await server.run(takeToken, { keys: [`${prefix}limit:${key}`], args }));
    },
  };
}

export function redisOnce({ server, prefix }: Place): OnceStore {
  return {
    take: async (name, ttlMs) => {
      const key = `${prefix}once:${name}`;
      const ttl = String(Math.max(1, Math.ceil(ttlMs)));
      return await server.send(key, ["SET", key, "1", "NX", "PX", ttl]) !== null;
    },
  };
}
