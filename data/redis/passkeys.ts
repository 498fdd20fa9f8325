import {
  digestOf,
  type Passkey,
  type PasskeyAdded,
  type PasskeyStore,
} from "../../runtime/addon.ts";
import { type Place, script } from "./client.ts";

/** Adds a passkey to the hash of its subject, and a key with the name of that hash. */
const addPasskey = script(`
  if redis.call('EXISTS', KEYS[1]) == 1 then return 'exists' end
  local all = redis.call('HVALS', KEYS[2])
  for _, text in ipairs(all) do
    if cjson.decode(text).userHandle ~= ARGV[3] then return 'handle' end
  end
  if #all >= tonumber(ARGV[4]) then return 'too-many' end
  redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
  redis.call('SET', KEYS[1], KEYS[2])
  return 'added'
`);
const usePasskey = script(`
  if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
  return 1
`);
const removePasskey = script(`
  if redis.call('HDEL', KEYS[2], ARGV[1]) == 0 then return 0 end
  return redis.call('DEL', KEYS[1])
`);

export function redisPasskeys({ server, prefix }: Place): PasskeyStore {
  // The word in braces keeps all passkeys in one slot of a cluster, so that a change of both keys is atomic.
  const base = `${prefix}{passkeys}:`;
  const subjectKey = (subject: string): string => `${base}subject:${digestOf(subject)}`;
  const idKey = (id: string): string => `${base}id:${digestOf(id)}`;
  const findText = async (id: string): Promise<{ key: string; text: string } | undefined> => {
    const key = await server.read(idKey(id));
    if (key === null) return undefined;
    const text = await server.send(key, ["HGET", key, id]);
    return typeof text === "string" ? { key, text } : undefined;
  };
  return {
    add: async (passkey, { max }) => {
      const { id, subject, userHandle } = passkey;
      const keys = [idKey(id), subjectKey(subject)];
      const args = [id, JSON.stringify(passkey), userHandle, max];
      return await server.run(addPasskey, { keys, args }) as PasskeyAdded;
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
      const keys = [idKey(id), subjectKey(subject)];
      return await server.run(removePasskey, { keys, args: [id] }) === 1;
    },
  };
}
