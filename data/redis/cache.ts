/** The values of caches. */
import { type CacheStore, digestOf } from "../../runtime/addon.ts";
import { script } from "./client.ts";
import { markTtlMs, maxTtlMs, type Place } from "./place.ts";

const maxValueBytes = 1_048_576;

/** Ends a claim that no other replica has taken since. */
const endClaim = script(`
  if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
`);

/**
 * Reads an entry and the versions of its marks in one round trip: the keys of a cache share a hash tag. Entry and marks
 * are read at one moment.
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

/** Stores an entry and its expiry, both or neither: a server that evicts nothing would keep it for ever. */
const writeEntry = script(`
  redis.call('HSET', KEYS[1], 'value', ARGV[1], 'marks', ARGV[2], 'expires', ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
`);

export function redisCache({ server, prefix, now }: Place): CacheStore {
  // A name in braces decides the slot.
  const base = (cache: string): string => `${prefix}{cache:${digestOf(cache)}}:`;
  const entryKey = (cache: string, name: string): string => `${base(cache)}entry:${digestOf(name)}`;
  const tagMark = (tag: string): string => `tag:${digestOf(tag)}`;
  const nameMark = (name: string): string => `name:${digestOf(name)}`;
  const change = async (cache: string, marks: readonly string[]): Promise<void> => {
    for (const mark of marks) {
      const key = `${base(cache)}mark:${mark}`;
      await server.send(key, ["SET", key, crypto.randomUUID(), "PX", String(markTtlMs)]);
    }
  };
  return {
    read: async ({ cache, name, tags }) => {
      const wanted = JSON.stringify(["all", nameMark(name), ...tags.map(tagMark)]);
      const args = [`${base(cache)}mark:`, wanted];
      const keys = [entryKey(cache, name)];
      const found = await server.run(readEntry, { keys, args }) as string[];
      const [value = "", stored = "", expires, text = "{}"] = found;
      const marks: Record<string, string> = JSON.parse(text);
      const leftMs = Number(expires) - now();
      const isCurrent = value !== "" &&
        Object.entries<string>(JSON.parse(stored)).every(([mark, version]) =>
          marks[mark] === version
        );
      if (!isCurrent || leftMs <= 0) return { kind: "miss", version: marks };
      const { deserialize } = await import("node:v8");
      const { value: made, tags: written } = deserialize(Uint8Array.fromBase64(value));
      return { kind: "hit", value: made, leftMs, tags: written };
    },
    write: async ({ cache, name, tags }, { value, ttlMs, version }) => {
      // Values come back as they were, dates and maps too.
      const { serialize } = await import("node:v8");
      const bytes = serialize({ value, tags });
      if (bytes.length > maxValueBytes) return;
      const seen = version as Readonly<Record<string, string>>;
      const names = ["all", nameMark(name), ...tags.map(tagMark)];
      const marks = JSON.stringify(
        Object.fromEntries(names.map((mark) => [mark, seen[mark] ?? ""])),
      );
      const left = Math.max(1, Math.ceil(Math.min(ttlMs, maxTtlMs)));
      const key = entryKey(cache, name);
      const args = [bytes.toBase64(), marks, now() + left, left];
      await server.run(writeEntry, { keys: [key], args });
    },
    claim: async ({ cache, name }, { version, ttlMs }) => {
      const key = `${base(cache)}claim:${digestOf(JSON.stringify([name, version]))}`;
      const own = crypto.randomUUID();
      const args = ["SET", key, own, "NX", "PX", String(Math.ceil(ttlMs))];
      if (await server.send(key, args) === null) return undefined;
      return async () => void await server.run(endClaim, { keys: [key], args: [own] });
    },
    invalidate: async (cache, tags) => {
      await change(cache, tags.map(tagMark));
      // Entries are not looked for: they are invalid from now on, and expire.
      return 0;
    },
    delete: async (cache, names) => {
      await change(cache, names.map(nameMark));
    },
    clear: async (cache) => {
      await change(cache, ["all"]);
    },
  };
}
