import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { SessionStore, StoredSession } from "../runtime/addon.ts";

/** Number of expired sessions deleted for each new one. */
const sweepSize = 64;

/** Number of sessions cached as they were last read. */
const maxRecent = 4_096;

/** Options of {@link sqliteSessionStore}. */
export interface SqliteSessionOptions {
  /** The name of the table. @default "fw_sessions" */
  readonly table?: string;
  /** Returns the time in milliseconds since 1970, for tests. @default Date.now */
  readonly now?: () => number;
}

/**
 * Keeps sessions in a SQLite database: they outlive a restart, and the processes of one machine share
 * them. The table is created where it is missing.
 *
 * @param db The opened database of `node:sqlite`; its owner sets its journal mode and closes it.
 * @param options The name of the table.
 * @returns The store.
 * @throws {RangeError} for a name that is no identifier.
 * @example
 * ```ts
 * import { createSessions, sqliteSessionStore } from "@fw/fw/auth";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const db = new DatabaseSync(":memory:");
 * const sessions = createSessions({ store: sqliteSessionStore(db) });
 * console.assert(typeof sessions.start === "function");
 * db.close();
 * ```
 */
export function sqliteSessionStore(
  db: DatabaseSync,
  options: SqliteSessionOptions = {},
): SessionStore {
  const { table = "fw_sessions", now = Date.now } = options;
  checkTable(table);
  db.exec(schemaOf(table));
  const owned = `from ${table} where subject = ? and provider = ?`;
  const insert = db.prepare(`insert or ignore into ${table} values (?,?,?,?,?,?,?,?,?,?,?,?,?)`);
  const sweep = db.prepare(
    `delete from ${table} where id in
         (select id from ${table} where expires_at <= ? limit ${sweepSize})`,
  );
  const read = prepareSessions(db, table);
  const touch = db.prepare(
    `update ${table} set used_at = ?, expires_at = ? where id = ? and expires_at > ?`,
  );
  const replace = db.prepare(
    `update ${table} set data = ? where id = ? and data is ? and expires_at > ?`,
  );
  const remove = db.prepare(`delete from ${table} where id = ? and expires_at > ?`);
  const list = prepareRows(
    db,
    `select * ${owned} and expires_at > ? order by used_at desc, issued_at desc`,
  );
  const removeOwned = db.prepare(`delete ${owned} and id is not ? and expires_at > ?`);
  const removeBySid = db.prepare(
    `delete from ${table} where sid = ? and provider = ? and expires_at > ?`,
  );
  const change = (statement: StatementSync, ...values: SQLInputValue[]): number =>
    Number(statement.run(...values, now()).changes);
  return {
    create: (session) => {
      change(sweep);
      return Number(insert.run(...rowOf(session)).changes) === 1;
    },
    read: (id) => read(id, now()),
    touch: (id, { usedAtMs, expiresAtMs }) => change(touch, usedAtMs, expiresAtMs, id) === 1,
    replaceData: (id, { from = null, to }) => change(replace, to, id, from) === 1,
    delete: (id) => change(remove, id) === 1,
    list: ({ provider, subject }) => list.all(subject, provider, now()).map(sessionOf),
    deleteBySubject: ({ provider, subject }, { except = null } = {}) =>
      change(removeOwned, subject, provider, except),
    deleteBySid: (provider, sid) => change(removeBySid, sid, provider),
  };
}

/**
 * Checks the name of a table, which no statement can take as a parameter.
 *
 * @throws {RangeError} for a name that is no identifier.
 */
export function checkTable(table: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(table)) return;
  throw new RangeError(
    `Cannot keep rows in the table "${table}": use letters, digits and "_", at most 63.`,
  );
}

function schemaOf(table: string): string {
  return `
    create table if not exists ${table} (
      id text primary key,
      provider text not null,
      subject text not null,
      email text,
      name text,
      roles text not null,
      device text not null,
      issued_at integer not null,
      used_at integer not null,
      expires_at integer not null,
      ends_at integer not null,
      sid text,
      data text
    ) strict, without rowid;
    create index if not exists ${table}_by_subject on ${table} (subject, provider);
    create index if not exists ${table}_by_sid on ${table} (sid, provider) where sid is not null;
    create index if not exists ${table}_by_end on ${table} (expires_at);
  `;
}

/** A row: id, provider, subject, email, name, roles, device, four times, sid, data. */
type Row = readonly [...Texts, Text, Text, string, string, ...Times, Text, Text];
type Texts = [string, string, string];
type Times = [number, number, number, number];
type Text = string | null;

/** When the session was used, when it expires and when it ends, its roles and its data. */
type Changing = readonly [number, number, number, string, Text];

/**
 * Prepares the reading of a session. Each call asks the database, so a session that any process ended is
 * gone. What changes is compared with the last reading; the rest is taken from it, since to make a
 * session of a row takes as long as to find the row (`bench/http`).
 */
function prepareSessions(
  db: DatabaseSync,
  table: string,
): (id: string, now: number) => StoredSession | undefined {
  const changing = "used_at, expires_at, ends_at, roles, data";
  const look = prepareRows(db, `select ${changing} from ${table} where id = ? and expires_at > ?`);
  const readAll = prepareRows(db, `select * from ${table} where id = ?`);
  const recent = new Map<string, { readonly row: Row; readonly session: StoredSession }>();
  return (id, now) => {
    const seen = look.get(id, now) as unknown as Changing | undefined;
    if (seen === undefined) return undefined;
    const known = recent.get(id);
    if (known !== undefined && isUnchanged(known.row, seen)) return known.session;
    const row = readAll.get(id) as unknown as Row | undefined;
    if (row === undefined) return undefined;
    const session = sessionOf(row);
    // Clearing it whole would make every session that is in use be read again at once.
    const [oldest] = recent.size < maxRecent ? [] : recent.keys();
    if (oldest !== undefined) recent.delete(oldest);
    recent.set(id, { row, session });
    return session;
  };
}

function isUnchanged(row: Row, [used, expires, ends, roles, data]: Changing): boolean {
  return row[8] === used && row[9] === expires && row[10] === ends && row[5] === roles &&
    row[12] === data;
}

/** Prepares a statement that returns rows as lists: an object of each is paid for (`bench/http`). */
function prepareRows(db: DatabaseSync, sql: string): StatementSync {
  // The types of the platform lack the method.
  const statement = db.prepare(sql) as StatementSync & { setReturnArrays(isOn: boolean): void };
  const isOn = true;
  statement.setReturnArrays(isOn);
  return statement;
}

function rowOf(session: StoredSession): Row {
  const { id, provider, subject, email = null, name = null, roles, device } = session;
  const { issuedAtMs, usedAtMs, expiresAtMs, endsAtMs, sid = null, data = null } = session;
  const texts = [id, provider, subject, email, name, JSON.stringify(roles), device] as const;
  return [...texts, issuedAtMs, usedAtMs, expiresAtMs, endsAtMs, sid, data];
}

/** @param row What a statement of {@link prepareRows} returned: the table is `strict`. */
function sessionOf(row: unknown): StoredSession {
  const [id, provider, subject, email, name, roles, device, ...rest] = row as Row;
  const [issuedAtMs, usedAtMs, expiresAtMs, endsAtMs, sid, data] = rest;
  return {
    id,
    provider,
    subject,
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    roles: Object.freeze(JSON.parse(roles)),
    device,
    issuedAtMs,
    usedAtMs,
    expiresAtMs,
    endsAtMs,
    ...(sid === null ? {} : { sid }),
    ...(data === null ? {} : { data }),
  };
}
