/** Stores on a server of Redis 7 or Valkey. */
import type { RateLimitStore, Stores } from "../../mod.ts";
import {
  type CacheStore,
  type ChannelRead,
  type ChannelSource,
  copyChannels,
  digestOf,
  newEpoch,
  type OnceStore,
  type Passkey,
  type PasskeyAdded,
  type PasskeyStore,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../../runtime/addon.ts";
import { type Connection, openConnection, type RedisClient, script } from "./client.ts";

/** Options of {@linkcode redisStores}. */
export interface RedisStoresOptions {
  /** The beginning of every key: 1 to 64 characters of printable ASCII without braces. @default "fw:" */
  readonly prefix?: string;
  /** Timeout of the server, in milliseconds, after which it counts as failed. @default 1_000 */
  readonly timeoutMs?: number;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/** A connection with the names of its keys. */
interface Place {
  readonly server: Connection;
  readonly prefix: string;
  readonly now: () => number;
}

const maxTtlMs = 30 * 86_400_000;
const markTtlMs = maxTtlMs + 86_400_000;

/** The largest value of a cache. */
const maxValueBytes = 1_048_576;

/**
 * Keeps limits, caches, sessions, passkeys, used tickets and channels on a server of Redis 7 or Valkey. Keys that
 * change together share a hash tag, so that a cluster takes them; the channels of one prefix are in one slot. The
 * server must not evict sessions: set `maxmemory-policy` to `noeviction` or `volatile-ttl` and give it room.
 *
 * @param client A connected client of `npm:redis` (`createClient`, `createCluster`), `npm:ioredis` or `npm:iovalkey`;
 * who made it closes it.
 * @param options The prefix of the keys and the deadline of a command.
 * @returns The stores, for `provideStores`.
 * @throws {TypeError} for a malformed prefix, and for an object that is no client; `RangeError` for a deadline.
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
      `Cannot make stores with the prefix "${prefix}": use 1 to 64 characters of printable ASCII without braces.`,
    );
  }
  if (!(timeoutMs >= 1 && timeoutMs < 2 ** 31)) {
    throw new RangeError(`Cannot make stores: timeoutMs is ${timeoutMs}; use 1 or more.`);
  }
  if (!("call" in client) && !("sendCommand" in client)) {
    throw new TypeError(
      "Cannot make stores: pass a client of npm:redis, npm:ioredis or npm:iovalkey.",
    );
  }
  const place: Place = { server: openConnection(client, { timeoutMs }), prefix, now };
  const sessions = sessionStore(place);
  return {
    limits: limitStore(place),
    cache: cacheStore(place),
    sessions,
    mcp: sessions,
    passkeys: passkeyStore(place),
    once: onceStore(place),
    channels: copyChannels(channelSource(place)),
    check: async () => {
      await place.server.send(`${prefix}check`, ["GET", `${prefix}check`]);
    },
  };
}

/** One round trip, by the server's clock; a refusal writes nothing. Numbers travel as text: Lua's become integers. */
const takeToken = script(`
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local token, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
  local full = tonumber(redis.call('GET', KEYS[1]) or 0)
  if full < now then full = now end
  local wait = full - now - token * (burst - 1)
  if wait > 0.001 then return string.format('%.3f', wait) end
  full = full + token
  redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', math.ceil(full - now) + 1)
  return '0'
`);

function limitStore({ server, prefix }: Place): RateLimitStore {
  return {
    take: async (key, { rate, burst }) => {
      const args = [1_000 / rate, burst];
      return Number(await server.run(takeToken, { keys: [`${prefix}limit:${key}`], args }));
    },
  };
}

function onceStore({ server, prefix }: Place): OnceStore {
  return {
    take: async (name, ttlMs) => {
      const key = `${prefix}once:${name}`;
      const ttl = String(Math.max(1, Math.ceil(ttlMs)));
      return await server.send(key, ["SET", key, "1", "NX", "PX", ttl]) !== null;
    },
  };
}

/** Creates a session. Sets that find it by owner and by the provider's identifier are in slots of their own. */
const createSession = script(`
  if redis.call('EXISTS', KEYS[1]) == 1 and tonumber(redis.call('HGET', KEYS[1], 'expires')) > tonumber(ARGV[5]) then
    return 0
  end
  redis.call('DEL', KEYS[1])
  redis.call('HSET', KEYS[1], 'session', ARGV[1], 'used', ARGV[2], 'expires', ARGV[3])
  if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'data', ARGV[6]) end
  redis.call('PEXPIRE', KEYS[1], ARGV[4])
  return 1
`);
const touchSession = script(`
  local expires = redis.call('HGET', KEYS[1], 'expires')
  if not expires or tonumber(expires) <= tonumber(ARGV[4]) then return 0 end
  redis.call('HSET', KEYS[1], 'used', ARGV[1], 'expires', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return 1
`);
const replaceSessionData = script(`
  local expires = redis.call('HGET', KEYS[1], 'expires')
  if not expires or tonumber(expires) <= tonumber(ARGV[3]) then return 0 end
  if (redis.call('HGET', KEYS[1], 'data') or '') ~= ARGV[1] then return 0 end
  redis.call('HSET', KEYS[1], 'data', ARGV[2])
  return 1
`);
const deleteSession = script(`
  local expires = redis.call('HGET', KEYS[1], 'expires')
  local isLive = expires and tonumber(expires) > tonumber(ARGV[1])
  redis.call('DEL', KEYS[1])
  return isLive and 1 or 0
`);

function sessionStore({ server, prefix, now }: Place): SessionStore {
  const sessionKey = (id: string): string => `${prefix}session:${id}`;
  const ownerKey = ({ provider, subject }: SessionOwner): string =>
    `${prefix}sessions:${digestOf(JSON.stringify(["subject", provider, subject]))}`;
  const sidKey = (provider: string, sid: string): string =>
    `${prefix}sids:${digestOf(JSON.stringify(["sid", provider, sid]))}`;
  const read = async (id: string): Promise<StoredSession | undefined> => {
    const key = sessionKey(id);
    const args = ["HMGET", key, "session", "used", "expires", "data"];
    const [session, used, expires, data] = await server.send(key, args) as (string | null)[];
    if (session === null || session === undefined || !(Number(expires) > now())) return undefined;
    const { roles, ...rest } = JSON.parse(session);
    return {
      ...rest,
      roles: Object.freeze(roles),
      usedAtMs: Number(used),
      expiresAtMs: Number(expires),
      ...(data === null || data === undefined ? {} : { data }),
    };
  };
  const remove = async (id: string): Promise<boolean> =>
    await server.run(deleteSession, { keys: [sessionKey(id)], args: [now()] }) === 1;
  /** Returns the sessions of a set; ids whose session is over leave it. */
  const members = async (key: string): Promise<StoredSession[]> => {
    const ids = await server.send(key, ["SMEMBERS", key]) as Iterable<string>;
    const found: StoredSession[] = [];
    for (const id of ids) {
      const session = await read(id);
      if (session !== undefined) found.push(session);
      else await server.send(key, ["SREM", key, id]);
    }
    return found;
  };
  const removeAll = async (sessions: readonly StoredSession[]): Promise<number> => {
    let count = 0;
    for (const { id } of sessions) if (await remove(id)) count++;
    return count;
  };
  return {
    create: async (session) => {
      const { id, sid, data = "", usedAtMs, expiresAtMs, endsAtMs, ...rest } = session;
      const ttlMs = Math.max(1, Math.ceil(expiresAtMs - now()));
      // First what finds it: a session that cannot be ended from elsewhere must not be.
      for (
        const key of [ownerKey(session), ...sid === undefined ? [] : [sidKey(rest.provider, sid)]]
      ) {
        await server.send(key, ["SADD", key, id]);
        const setTtl = String(Math.max(1, Math.ceil(endsAtMs - now())));
        // As long as the session of the set that lasts longest.
        await server.send(key, ["PEXPIRE", key, setTtl, "NX"]);
        await server.send(key, ["PEXPIRE", key, setTtl, "GT"]);
      }
      const args = [
        JSON.stringify({ id, sid, endsAtMs, ...rest }),
        usedAtMs,
        expiresAtMs,
        ttlMs,
        now(),
        data,
      ];
      return await server.run(createSession, { keys: [sessionKey(id)], args }) === 1;
    },
    read,
    touch: async (id, { usedAtMs, expiresAtMs }) => {
      const ttlMs = Math.max(1, Math.ceil(expiresAtMs - now()));
      const args = [usedAtMs, expiresAtMs, ttlMs, now()];
      return await server.run(touchSession, { keys: [sessionKey(id)], args }) === 1;
    },
    replaceData: async (id, { from = "", to }) =>
      await server.run(replaceSessionData, { keys: [sessionKey(id)], args: [from, to, now()] }) ===
        1,
    delete: remove,
    list: async (owner) =>
      (await members(ownerKey(owner)))
        .sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs),
    deleteBySubject: async (owner, { except } = {}) =>
      await removeAll((await members(ownerKey(owner))).filter(({ id }) => id !== except)),
    deleteBySid: async (provider, sid) => await removeAll(await members(sidKey(provider, sid))),
  };
}

/** The passkeys of a subject are one hash; which subject has a passkey is a key of its own. */
const addPasskey = script(`
  if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then return 'exists' end
  local all = redis.call('HVALS', KEYS[1])
  for _, text in ipairs(all) do
    if cjson.decode(text).userHandle ~= ARGV[3] then return 'handle' end
  end
  if #all >= tonumber(ARGV[4]) then return 'too-many' end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
  return 'added'
`);
const usePasskey = script(`
  if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  return 1
`);

function passkeyStore({ server, prefix }: Place): PasskeyStore {
  const subjectKey = (subject: string): string => `${prefix}passkeys:${digestOf(subject)}`;
  const idKey = (id: string): string => `${prefix}passkey:${digestOf(id)}`;
  const findText = async (id: string): Promise<{ key: string; text: string } | undefined> => {
    const key = await server.send(idKey(id), ["GET", idKey(id)]);
    if (typeof key !== "string") return undefined;
    const text = await server.send(key, ["HGET", key, id]);
    return typeof text === "string" ? { key, text } : undefined;
  };
  return {
    add: async (passkey, { max }) => {
      const { id, subject, userHandle } = passkey;
      const key = subjectKey(subject);
      // Claimed first: of two subjects that add one id at once, one has it.
      const isOurs = await server.send(idKey(id), ["SET", idKey(id), key, "NX"]) !== null;
      if (!isOurs && await findText(id) !== undefined) return "exists";
      const args = [id, JSON.stringify(passkey), userHandle, max];
      const outcome = await server.run(addPasskey, { keys: [key], args }) as PasskeyAdded;
      if (outcome === "added") await server.send(idKey(id), ["SET", idKey(id), key]);
      else if (isOurs) await server.send(idKey(id), ["DEL", idKey(id)]);
      return outcome;
    },
    find: async (id) => {
      const found = await findText(id);
      return found === undefined ? undefined : JSON.parse(found.text);
    },
    list: async (subject) => {
      const key = subjectKey(subject);
      const texts = await server.send(key, ["HVALS", key]) as readonly string[];
      return texts.map((text): Passkey => JSON.parse(text))
        .sort((a, b) => a.createdAtMs - b.createdAtMs);
    },
    use: async (id, use) => {
      for (;;) {
        const found = await findText(id);
        const passkey: Passkey | undefined = found && JSON.parse(found.text);
        if (found === undefined || passkey === undefined) return false;
        if (passkey.challengedAtMs >= use.challengedAtMs) return false;
        const args = [id, found.text, JSON.stringify({ ...passkey, ...use })];
        if (await server.run(usePasskey, { keys: [found.key], args }) === 1) return true;
      }
    },
    remove: async (subject, id) => {
      const key = subjectKey(subject);
      if (await server.send(key, ["HDEL", key, id]) !== 1) return false;
      await server.send(idKey(id), ["DEL", idKey(id)]);
      return true;
    },
  };
}

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

function cacheStore({ server, prefix, now }: Place): CacheStore {
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
      const fields = ["value", bytes.toBase64(), "marks", marks, "expires", String(now() + left)];
      await server.send(key, ["HSET", key, ...fields]);
      await server.send(key, ["PEXPIRE", key, String(left)]);
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

/** Appends a message under its own number, and its channel to the stream that wakes the replicas. */
const publishMessage = script(`
  local epoch = redis.call('HGET', KEYS[1], 'epoch')
  if not epoch then
    epoch = ARGV[1]
    redis.call('HSET', KEYS[1], 'epoch', epoch)
  end
  local number = redis.call('HINCRBY', KEYS[1], 'last', 1)
  if number == 1 then redis.call('DEL', KEYS[2]) end
  redis.call('XADD', KEYS[2], 'MAXLEN', ARGV[3], string.format('%.0f-1', number), 't', ARGV[2])
  redis.call('PEXPIRE', KEYS[1], ARGV[5])
  redis.call('PEXPIRE', KEYS[2], ARGV[4])
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', 1000, '*', 'c', ARGV[6])
  redis.call('PEXPIRE', KEYS[3], ARGV[5])
  return { epoch, string.format('%.0f', number) }
`);
const readMessages = script(`
  local meta = redis.call('HMGET', KEYS[1], 'epoch', 'last')
  local found = { meta[1] or '', meta[2] or '0' }
  if not meta[1] then return found end
  for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[1] .. '-1', '+', 'COUNT', ARGV[2])) do
    found[#found + 1] = string.match(entry[1], '^%d+')
    found[#found + 1] = entry[2][2]
  end
  return found
`);

/** Timeout of one read of the waking stream, in milliseconds. */
const blockMs = 5_000;

function channelSource({ server, prefix }: Place): ChannelSource {
  const base = `${prefix}{channels}:`;
  const wakeKey = `${base}wake`;
  const keysOf = (channel: string): string[] => [`${base}meta:${channel}`, `${base}log:${channel}`];
  return {
    publish: async (channel, { text, keep, keepMs }) => {
      const keys = [...keysOf(channel), wakeKey];
      const args = [newEpoch(), text, keep, keepMs, markTtlMs, channel];
      const [epoch = "", number] = await server.run(publishMessage, { keys, args }) as string[];
      return { epoch, number: Number(number) };
    },
    read: async (channel, after, count): Promise<ChannelRead> => {
      const args = [after, count];
      const found = await server.run(readMessages, { keys: keysOf(channel), args }) as string[];
      const [epoch = "", last, ...rest] = found;
      const messages = [];
      for (let at = 0; at < rest.length; at += 2) {
        messages.push({ number: Number(rest[at]), text: rest[at + 1] ?? "" });
      }
      return { epoch, last: Number(last), messages };
    },
    listen: (onChange) => {
      let isOver = false;
      let waiting: Connection | undefined;
      const listen = async (): Promise<void> => {
        let from: string | undefined;
        while (!isOver) {
          try {
            waiting ??= await server.open();
            if (isOver) break;
            if (from === undefined) {
              from = await lastId();
              // What came before, or while the connection was lost, wakes all.
              onChange(undefined);
            }
            const args = ["XREAD", "COUNT", "1000", "BLOCK", String(blockMs), "STREAMS", wakeKey];
            const entries = readStream(await waiting.send(wakeKey, [...args, from]));
            for (const name of new Set(entries.map(({ channel }) => channel))) onChange(name);
            // More than the stream keeps may have come since.
            if (entries.length >= 1_000) onChange(undefined);
            from = entries.at(-1)?.id ?? from;
          } catch {
            from = undefined;
            if (isOver) break;
            await new Promise<void>((resolve) => {
              const timer = setTimeout(resolve, 500);
              stopPause = () => {
                clearTimeout(timer);
                resolve();
              };
            });
          }
        }
        waiting?.close();
      };
      const lastId = async (): Promise<string> => {
        const found = await server.send(wakeKey, ["XREVRANGE", wakeKey, "+", "-", "COUNT", "1"]);
        return Array.isArray(found) && Array.isArray(found[0]) ? String(found[0][0]) : "0-0";
      };
      let stopPause = (): void => {};
      void listen();
      return () => {
        isOver = true;
        stopPause();
        waiting?.close();
      };
    },
  };
}

/** Reads what `XREAD` gives of one stream: pairs, or under the newer protocol a map, which a client may flatten. */
function readStream(found: unknown): readonly { readonly id: string; readonly channel: string }[] {
  const stream = found instanceof Map
    ? found.values().next().value
    : !Array.isArray(found)
    ? Object.values(found ?? {})[0]
    : Array.isArray(found[0])
    ? found[0][1]
    : found[1];
  if (!Array.isArray(stream)) return [];
  return stream.map(([id, fields]) => ({ id: String(id), channel: String(fields[1]) }));
}
