import {
  digestOf,
  type Passkey,
  type PasskeyAdded,
  type PasskeyStore,
} from "../../runtime/addon.ts";
import { deleteOwn, type Place, script } from "./client.ts";

/**
 * A hash holds the passkeys of a subject; a separate key, in a cluster often on another server,
 * maps a passkey to its subject. Because a change of both may be interrupted, `add` takes over the
 * id of a subject without the passkey, and `list` restores missing keys.
 */
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

/** Takes over an id from a subject that lost its passkey, but not from one that is adding it. */
const takeOver = script(`
  if redis.call('GET', KEYS[1]) ~= ARGV[1] or redis.call('PTTL', KEYS[1]) ~= -1 then return 0 end
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1
`);

/** Lifetime of a claim on an id until its passkey is stored; it expires if the process ends first. */
const claimMs = 10_000;

export function redisPasskeys({ server, prefix }: Place): PasskeyStore {
  const subjectKey = (subject: string): string => `${prefix}passkeys:${digestOf(subject)}`;
  const idKey = (id: string): string => `${prefix}passkey:${digestOf(id)}`;
  const findText = async (id: string): Promise<{ key: string; text: string } | undefined> => {
    const key = await server.read(idKey(id));
    if (key === null) return undefined;
    const text = await server.send(key, ["HGET", key, id]);
    return typeof text === "string" ? { key, text } : undefined;
  };
  return {
    add: async (passkey, { max }) => {
      const { id, subject, userHandle } = passkey;
      const key = subjectKey(subject);
      // Claimed first, so that only one of two subjects can add the same id at once.
      const claim = ["SET", idKey(id), key, "NX", "PX", String(claimMs)];
      if (await server.send(idKey(id), claim) === null) {
        const owner = await server.read(idKey(id));
        // If the claim is its own, an interrupted call left it, or the script below finds the passkey.
        if (owner !== key) {
          if (owner === null || await server.send(owner, ["HEXISTS", owner, id]) === 1) {
            return "exists";
          }
          const taken = { keys: [idKey(id)], args: [owner, key, claimMs] };
          if (await server.run(takeOver, taken) !== 1) return "exists";
        }
      }
      const args = [id, JSON.stringify(passkey), userHandle, max];
      const outcome = await server.run(addPasskey, { keys: [key], args }) as PasskeyAdded;
      // "exists": the process that stored it ended before this step.
      if (outcome === "added" || outcome === "exists") {
        await server.send(idKey(id), ["SET", idKey(id), key]);
      } else await server.send(idKey(id), ["DEL", idKey(id)]);
      return outcome;
    },
    find: async (id) => {
      const found = await findText(id);
      return found === undefined ? undefined : JSON.parse(found.text);
    },
    list: async (subject) => {
      const key = subjectKey(subject);
      const texts = await server.send(key, ["HVALS", key]) as readonly string[];
      const passkeys = texts.map((text): Passkey => JSON.parse(text));
      await Promise.all(
        passkeys.map(({ id }) => server.send(idKey(id), ["SET", idKey(id), key, "NX"])),
      );
      return passkeys.sort((a, b) => a.createdAtMs - b.createdAtMs);
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
      await server.run(deleteOwn, { keys: [idKey(id)], args: [key] });
      return true;
    },
  };
}
