import { digestOf } from "../../runtime/addon.ts";
import { type MarkedEntries, type Marks, markTtlMs } from "../stores/marked_cache.ts";
import { deleteOwn, type Place, script } from "./client.ts";

/**
 * Reads an entry and the versions of its marks in one round trip: the keys of a cache share a hash
 * tag, so the read is atomic.
 */
const readEntry = script(`
  local entry = redis.call('HMGET', KEYS[1], 'value', 'marks', 'expires')
  local names = cjson.decode(ARGV[2])
  if entry[2] then for name in pairs(cjson.decode(entry[2])) do names[#names + 1] = name end end
  local marks = {}
  for _, name in ipairs(names) do marks[name] = redis.call('GET', ARGV[1] .. name) or '' end
  local text = next(marks) and cjson.encode(marks) or '{}'
  return { entry[1] or '', entry[2] or '', entry[3] or '0', text }
`);

/** Stores an entry and its expiry atomically; without an expiry, it might never be removed. */
const writeEntry = script(`
  redis.call('HSET', KEYS[1], 'value', ARGV[1], 'marks', ARGV[2], 'expires', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
`);

export function redisEntries({ server, prefix, now }: Place): MarkedEntries {
  // The name in braces decides the cluster slot.
  const base = (cache: string): string => `${prefix}{cache:${digestOf(cache)}}:`;
  const entryKey = (cache: string, name: string): string => `${base(cache)}entry:${name}`;
  return {
    read: async (cache, name, marks) => {
      const args = [`${base(cache)}mark:`, JSON.stringify(marks)];
      const found = await server.run(readEntry, {
        keys: [entryKey(cache, name)],
        args,
      }) as string[];
      const [value = "", stored = "", expires, versions = "{}"] = found;
      const entry = value === "" ? undefined : {
        value: Uint8Array.fromBase64(value),
        marks: JSON.parse(stored) as Marks,
        leftMs: Number(expires) - now(),
      };
      return { entry, versions: JSON.parse(versions) };
    },
    write: async (cache, name, { value, marks, ttlMs }) => {
      const args = [value.toBase64(), JSON.stringify(marks), now() + ttlMs, ttlMs];
      await server.run(writeEntry, { keys: [entryKey(cache, name)], args });
    },
    change: async (cache, marks) => {
      for (const mark of marks) {
        const key = `${base(cache)}mark:${mark}`;
        await server.send(key, ["SET", key, crypto.randomUUID(), "PX", String(markTtlMs)]);
      }
      // Entries are not searched: they are invalid from now on and will expire.
      return 0;
    },
    claim: async (cache, name, ttlMs) => {
      const key = `${base(cache)}claim:${name}`;
      const own = crypto.randomUUID();
      if (await server.send(key, ["SET", key, own, "NX", "PX", String(ttlMs)]) === null) {
        return undefined;
      }
      return async () => void await server.run(deleteOwn, { keys: [key], args: [own] });
    },
  };
}
