import { type Infer, int, struct, text } from "../../mod.ts";
import type { SessionOwner, SessionStore, StoredSession } from "../../runtime/addon.ts";
import { EngineDb } from "../db.ts";
import { byUse, ownerDigest, parseSession, RecentSessions, sidDigest } from "./recent_sessions.ts";
import { type Sql, sql } from "../sql.ts";
import type { Tables } from "./tables.ts";

const SessionRow = struct({
  id: text(),
  session: text(),
  data: text().optional(),
  usedAt: int(),
  expiresAt: int(),
});

export function databaseSessions(tables: Tables): SessionStore {
  const { db } = tables;
  const isLive = (): Sql => sql`expires_at > ${tables.now()}`;
  const recent = new RecentSessions();
  const toSession = (id: string, columns: readonly unknown[]): StoredSession =>
    recent.find(id, columns, () => {
      const [text, data, usedAt, expiresAt] = columns;
      return parseSession(id, String(text), {
        usedAtMs: Number(usedAt),
        expiresAtMs: Number(expiresAt),
        ...(typeof data === "string" && { data }),
      });
    });
  const rowToSession = (row: Infer<typeof SessionRow>): StoredSession =>
    toSession(row.id, [row.session, row.data, row.usedAt, row.expiresAt]);
  const readAtOnce = db instanceof EngineDb
    ? db.keepRead(
      "select session, data, used_at, expires_at from fw_user_sessions where id = ? and expires_at > ?",
    )
    : undefined;
  const list = async (owner: SessionOwner): Promise<StoredSession[]> => {
    const rows = await db.all(SessionRow)`select ${SessionRow} from fw_user_sessions
      where owner = ${ownerDigest(owner)} and ${isLive()}`;
    return rows.map(rowToSession).sort(byUse);
  };
  const store = tables.after<SessionStore>({
    create: async (session) => {
      const { id, sid, data = null, usedAtMs, expiresAtMs, ...rest } = session;
      // JSON escapes U+0000 and lone surrogates, which neither engine stores.
      const text = JSON.stringify({ sid, ...rest });
      const bySid = sid === undefined ? "" : sidDigest(session.provider, sid);
      const owner = ownerDigest(session);
      return await db.run`insert into fw_user_sessions
        (id, owner, sid, session, data, used_at, expires_at)
        values (${id}, ${owner}, ${bySid}, ${text}, ${data}, ${usedAtMs}, ${expiresAtMs})
        on conflict (id) do nothing` === 1;
    },
    read: async (id) => {
      const row = await db.first(SessionRow)`select ${SessionRow} from fw_user_sessions
        where id = ${id} and ${isLive()}`;
      return row && rowToSession(row);
    },
    touch: async (id, { usedAtMs, expiresAtMs }) =>
      await db.run`update fw_user_sessions set used_at = ${usedAtMs}, expires_at = ${expiresAtMs}
        where id = ${id} and ${isLive()}` === 1,
    replaceData: async (id, { from = "", to }) =>
      await db.run`update fw_user_sessions set data = ${to}
        where id = ${id} and coalesce(data, '') = ${from} and ${isLive()}` === 1,
    delete: async (id) =>
      await db.run`delete from fw_user_sessions where id = ${id} and ${isLive()}` === 1,
    rename: async (owner, name) => {
      for (const { id, data: _, usedAtMs: __, expiresAtMs: ___, ...rest } of await list(owner)) {
        await db.run`update fw_user_sessions set session = ${JSON.stringify({ ...rest, name })}
          where id = ${id}`;
      }
    },
    list,
    deleteBySubject: async (owner, { except = "" } = {}) =>
      await db.run`delete from fw_user_sessions
        where owner = ${ownerDigest(owner)} and id <> ${except} and ${isLive()}`,
    deleteBySid: async (provider, sid) =>
      await db.run`delete from fw_user_sessions
        where sid = ${sidDigest(provider, sid)} and ${isLive()}`,
  });
  return {
    ...store,
    // Synchronous if possible, because every guarded request reads its session (`bench/http`).
    read: (id) => {
      const rows = tables.isReady ? readAtOnce?.([id, tables.now()]) : undefined;
      if (rows === undefined) return store.read(id);
      return rows[0] && toSession(id, rows[0]);
    },
  };
}
