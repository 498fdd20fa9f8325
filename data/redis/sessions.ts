/** Sign-in sessions. */
import {
  digestOf,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../../runtime/addon.ts";
import { SessionTexts } from "../session_texts.ts";
import { script } from "./client.ts";
import type { Place } from "./place.ts";

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

/** Keeps sessions. */
export function redisSessions({ server, prefix, now }: Place): SessionStore {
  const texts = new SessionTexts();
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
    return texts.read(id, session, {
      usedAtMs: Number(used),
      expiresAtMs: Number(expires),
      data,
    });
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
