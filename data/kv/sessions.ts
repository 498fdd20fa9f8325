import {
  digestOf,
  type SessionOwner,
  type SessionStore,
  type StoredSession,
} from "../../runtime/addon.ts";
import { byUse } from "../stores/recent_sessions.ts";
import { conflict, leftMs, type Place, readAll, retry } from "./connection.ts";

/** Stores a session as one entry of up to 64 KiB and one or two index entries; all expire. */
export function sessionStore({ kv, prefix, now }: Place): SessionStore {
  const keyOf = (id: string): string[] => [prefix, "session", id];
  const subjectKey = ({ provider, subject }: SessionOwner): string[] => [
    prefix,
    "subject",
    digestOf(JSON.stringify([provider, subject])),
  ];
  const sidKey = (provider: string, sid: string): string[] => [
    prefix,
    "sid",
    digestOf(JSON.stringify([provider, sid])),
  ];
  const indexKeys = (session: StoredSession): string[][] => {
    const { id, provider, sid } = session;
    const keys = [subjectKey(session), ...sid === undefined ? [] : [sidKey(provider, sid)]];
    return keys.map((key) => [...key, id]);
  };
  const live = (value: unknown): StoredSession | undefined => {
    // This store wrote the entry. Deno KV removes entries only some time after they expire.
    const session = (value ?? undefined) as StoredSession | undefined;
    return session !== undefined && session.expiresAtMs > now() ? session : undefined;
  };
  /** Changes or, for null, deletes an existing session; never restores one that was deleted meanwhile. */
  const change = (
    id: string,
    to: (session: StoredSession) => StoredSession | null | undefined,
  ): Promise<boolean> =>
    retry("a session", async () => {
      const key = keyOf(id);
      const { value, versionstamp } = await kv.get(key);
      const session = live(value);
      if (session === undefined) return false;
      const changed = to(session);
      if (changed === undefined || changed === session) return changed !== undefined;
      const atomic = kv.atomic().check({ key, versionstamp });
      if (changed !== null) {
        atomic.set(key, changed, { expireIn: leftMs(changed.expiresAtMs, now()) });
      } else for (const at of [key, ...indexKeys(session)]) atomic.delete(at);
      return (await atomic.commit()).ok || conflict;
    });
  const remove = (id: string): Promise<boolean> => change(id, () => null);
  const idsUnder = async (prefix: readonly string[]): Promise<string[]> =>
    (await Array.fromAsync(kv.list({ prefix }))).map(({ key }) => String(key.at(-1)));
  const removeAll = async (ids: readonly string[]): Promise<number> => {
    let removed = 0;
    for (const id of ids) if (await remove(id)) removed++;
    return removed;
  };
  return {
    create: async (session) => {
      const key = keyOf(session.id);
      const expireIn = leftMs(session.expiresAtMs, now());
      const atomic = kv.atomic().check({ key, versionstamp: null }).set(key, session, { expireIn });
      // The index entries last as long as the session can, so that using it does not rewrite them.
      const longest = { expireIn: leftMs(session.endsAtMs, now()) };
      for (const at of indexKeys(session)) atomic.set(at, session.id, longest);
      return (await atomic.commit()).ok;
    },
    read: async (id) => live((await kv.get(keyOf(id))).value),
    touch: (id, at) =>
      change(id, (session) => session.usedAtMs >= at.usedAtMs ? session : { ...session, ...at }),
    replaceData: (id, { from, to }) =>
      change(id, (session) => session.data === from ? { ...session, data: to } : undefined),
    delete: remove,
    list: async (owner) =>
      (await readAll(kv, (await idsUnder(subjectKey(owner))).map(keyOf)))
        .flatMap(({ value }) => live(value) ?? [])
        .sort(byUse),
    deleteBySubject: async (owner, { except } = {}) =>
      await removeAll((await idsUnder(subjectKey(owner))).filter((id) => id !== except)),
    deleteBySid: async (provider, sid) => await removeAll(await idsUnder(sidKey(provider, sid))),
  };
}
