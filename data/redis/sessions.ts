import type { SessionOwner, SessionStore, StoredSession } from "../../runtime/addon.ts";
import {
  byUse,
  ownerDigest,
  parseSession,
  RecentSessions,
  sidDigest,
} from "../stores/recent_sessions.ts";
import { type Place, script } from "./client.ts";

/**
 * A session is one string, so that one command reads it: its expiry, its last use, its JSON and, on
 * a separate line, the provider's data.
 */
const createSession = script(`
  local old = redis.call('GET', KEYS[1])
  if old and tonumber(string.match(old, '^%S+')) > tonumber(ARGV[3]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
  return 1
`);
const touchSession = script(`
  local expires, rest = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) %S+ (.*)$')
  if not expires or tonumber(expires) <= tonumber(ARGV[3]) then return 0 end
  redis.call('SET', KEYS[1], ARGV[1] .. rest, 'PX', ARGV[2])
  return 1
`);
const replaceSessionData = script(`
  local head, data = string.match(redis.call('GET', KEYS[1]) or '', '^([^\\n]+)\\n?(.*)$')
  if not head or tonumber(string.match(head, '^%S+')) <= tonumber(ARGV[3]) then return 0 end
  if data ~= ARGV[1] then return 0 end
  redis.call('SET', KEYS[1], head .. '\\n' .. ARGV[2], 'KEEPTTL')
  return 1
`);
const deleteSession = script(`
  local expires = string.match(redis.call('GET', KEYS[1]) or '', '^%S+')
  redis.call('DEL', KEYS[1])
  return expires and tonumber(expires) > tonumber(ARGV[1]) and 1 or 0
`);

/** Adds a session to an index, which lasts as long as its longest-lived session. */
const indexSession = script(`
  redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  return redis.call('ZCARD', KEYS[1])
`);
const forgetOver = script(`
  for at = 2, #ARGV do
    local addedAt = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[at]) or ARGV[1])
    if addedAt < tonumber(ARGV[1]) then redis.call('ZREM', KEYS[1], ARGV[at]) end
  end
`);

/** Time for which a listed session may be missing, because it is listed before it is written. */
const creationMs = 60_000;

const maxListed = 1_000;

export function redisSessions({ server, prefix, now }: Place): SessionStore {
  const recent = new RecentSessions();
  const sessionKey = (id: string): string => `${prefix}session:${id}`;
  const ownerKey = (owner: SessionOwner): string => `${prefix}owner:${ownerDigest(owner)}`;
  const sidKey = (provider: string, sid: string): string =>
    `${prefix}sid:${sidDigest(provider, sid)}`;
  const toSession = (id: string, text: string | null): StoredSession | undefined => {
    if (text === null) return undefined;
    const session = recent.find(id, [text], () => parseText(id, text));
    return session.expiresAtMs > now() ? session : undefined;
  };
  const read = (id: string): Promise<StoredSession | undefined> =>
    server.read(sessionKey(id)).then((text) => toSession(id, text));
  const remove = async (id: string): Promise<boolean> =>
    await server.run(deleteSession, { keys: [sessionKey(id)], args: [now()] }) === 1;
  const find = async (key: string): Promise<StoredSession[]> => {
    const ids = await server.send(key, ["ZRANGE", key, "0", "-1"]) as readonly string[];
    const found = await Promise.all(ids.map(read));
    const over = ids.filter((_, at) => found[at] === undefined);
    const args = [now() - creationMs, ...over];
    if (over.length > 0) await server.run(forgetOver, { keys: [key], args });
    return found.flatMap((session) => session ?? []);
  };
  const removeAll = async (sessions: readonly StoredSession[]): Promise<number> =>
    (await Promise.all(sessions.map(({ id }) => remove(id)))).filter(Boolean).length;
  return {
    create: async (session) => {
      const { id, sid, data = "", usedAtMs, expiresAtMs, endsAtMs, ...rest } = session;
      const ttlMs = Math.max(1, Math.ceil(expiresAtMs - now()));
      // The index is written first, so that every session can be ended from elsewhere.
      const keys = [ownerKey(session), ...sid === undefined ? [] : [sidKey(rest.provider, sid)]];
      const found = [id, now(), Math.max(1, Math.ceil(endsAtMs - now()))];
      const counts = await Promise.all(
        keys.map((key) => server.run(indexSession, { keys: [key], args: found })),
      );
      const json = JSON.stringify({ sid, endsAtMs, ...rest });
      const text = `${expiresAtMs} ${usedAtMs} ${json}${data && `\n${data}`}`;
      const args = [text, ttlMs, now()];
      const isNew = await server.run(createSession, { keys: [sessionKey(id)], args }) === 1;
      for (const [at, key] of keys.entries()) {
        if (Number(counts[at]) > maxListed) {
          await removeAll((await find(key)).sort(byUse).slice(maxListed));
        }
      }
      return isNew;
    },
    read,
    touch: async (id, { usedAtMs, expiresAtMs }) => {
      const ttlMs = Math.max(1, Math.ceil(expiresAtMs - now()));
      const args = [`${expiresAtMs} ${usedAtMs} `, ttlMs, now()];
      return await server.run(touchSession, { keys: [sessionKey(id)], args }) === 1;
    },
    replaceData: async (id, { from = "", to }) =>
      await server.run(replaceSessionData, { keys: [sessionKey(id)], args: [from, to, now()] }) ===
        1,
    delete: remove,
    list: async (owner) => (await find(ownerKey(owner))).sort(byUse),
    deleteBySubject: async (owner, { except } = {}) =>
      await removeAll((await find(ownerKey(owner))).filter(({ id }) => id !== except)),
    deleteBySid: async (provider, sid) => await removeAll(await find(sidKey(provider, sid))),
  };
}

function parseText(id: string, text: string): StoredSession {
  const [, expires, used, json = "", data] = /^(\S+) (\S+) ([^\n]*)(?:\n([^]*))?$/.exec(text) ?? [];
  return parseSession(id, json, { usedAtMs: Number(used), expiresAtMs: Number(expires), data });
}
