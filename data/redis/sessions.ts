/** Sign-in sessions. */
import {
  digestOf,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../../runtime/addon.ts";
import { parseSession, RecentSessions } from "../recent_sessions.ts";
import { script } from "./client.ts";
import type { Place } from "./place.ts";

/**
 * A session is one string, so that it is read at once: when it expires, its last use, its JSON, and in a line of its own
 * the data of the provider.
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

/** Keeps sessions. */
export function redisSessions({ server, prefix, now }: Place): SessionStore {
  const recent = new RecentSessions();
  const sessionKey = (id: string): string => `${prefix}session:${id}`;
  const ownerKey = ({ provider, subject }: SessionOwner): string =>
    `${prefix}sessions:${digestOf(JSON.stringify(["subject", provider, subject]))}`;
  const sidKey = (provider: string, sid: string): string =>
    `${prefix}sids:${digestOf(JSON.stringify(["sid", provider, sid]))}`;
  const toSession = (id: string, text: string | null): StoredSession | undefined => {
    if (text === null) return undefined;
    const session = recent.find(id, [text], () => parseText(id, text));
    return session.expiresAtMs > now() ? session : undefined;
  };
  const read = (id: string): Promise<StoredSession | undefined> =>
    server.read(sessionKey(id)).then((text) => toSession(id, text));
  const remove = async (id: string): Promise<boolean> =>
    await server.run(deleteSession, { keys: [sessionKey(id)], args: [now()] }) === 1;
  /** Returns the sessions of a set; ids whose session is over leave it. */
  const members = async (key: string): Promise<StoredSession[]> => {
    const ids = await server.send(key, ["SMEMBERS", key]) as Iterable<string>;
    const found = await Promise.all(
      Array.from(ids, async (id) => ({ id, session: await read(id) })),
    );
    const over = found.filter(({ session }) => session === undefined).map(({ id }) => id);
    if (over.length > 0) await server.send(key, ["SREM", key, ...over]);
    return found.flatMap(({ session }) => session ?? []);
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
      const json = JSON.stringify({ sid, endsAtMs, ...rest });
      const text = `${expiresAtMs} ${usedAtMs} ${json}${data && `\n${data}`}`;
      const args = [text, ttlMs, now()];
      return await server.run(createSession, { keys: [sessionKey(id)], args }) === 1;
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
    list: async (owner) =>
      (await members(ownerKey(owner)))
        .sort((a, b) => b.usedAtMs - a.usedAtMs || b.issuedAtMs - a.issuedAtMs),
    deleteBySubject: async (owner, { except } = {}) =>
      await removeAll((await members(ownerKey(owner))).filter(({ id }) => id !== except)),
    deleteBySid: async (provider, sid) => await removeAll(await members(sidKey(provider, sid))),
  };
}

function parseText(id: string, text: string): StoredSession {
  const [, expires, used, json = "", data] = /^(\S+) (\S+) (.*)(?:\n([^]*))?$/.exec(text) ?? [];
  return parseSession(id, json, { usedAtMs: Number(used), expiresAtMs: Number(expires), data });
}
