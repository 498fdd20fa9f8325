import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SessionOwner, SessionStore, StoredSession } from "../runtime/addon.ts";

/** How many expired sessions are deleted for each new one. */
const sweepSize = 64;

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
  return new SqliteSessionStore(db, { table, now });
}

/**
 * Checks the name of a table, which no statement can take as a parameter.
 *
 * @throws {RangeError} for a name that is no identifier.
 */
export function checkTable(table: string): void {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,62}$/.test(table)) return;
  throw new RangeError(
    `Cannot keep rows in the table "${table}": give letters, digits and "_", at most 63.`,
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

class SqliteSessionStore implements SessionStore {
  readonly #now: () => number;
  readonly #insert: StatementSync;
  readonly #sweep: StatementSync;
  readonly #read: StatementSync;
  readonly #touch: StatementSync;
  readonly #replace: StatementSync;
  readonly #delete: StatementSync;
  readonly #list: StatementSync;
  readonly #deleteBySubject: StatementSync;
  readonly #deleteBySid: StatementSync;

  constructor(
    db: DatabaseSync,
    { table, now }: { readonly table: string; readonly now: () => number },
  ) {
    this.#now = now;
    this.#insert = db.prepare(`insert into ${table} values (?,?,?,?,?,?,?,?,?,?,?,?,?)`);
    this.#sweep = db.prepare(
      `delete from ${table} where id in
         (select id from ${table} where expires_at <= ? limit ${sweepSize})`,
    );
    this.#read = db.prepare(`select ${readColumns} from ${table} where id = ?`);
    this.#touch = db.prepare(
      `update ${table} set used_at = ?, expires_at = ? where id = ? and expires_at > ?`,
    );
    this.#replace = db.prepare(
      `update ${table} set data = ? where id = ? and data is ? and expires_at > ?`,
    );
    this.#delete = db.prepare(`delete from ${table} where id = ? and expires_at > ?`);
    this.#list = db.prepare(
      `select * from ${table} where subject = ? and provider = ? and expires_at > ?
         order by used_at desc, issued_at desc`,
    );
    this.#deleteBySubject = db.prepare(
      `delete from ${table} where subject = ? and provider = ? and expires_at > ? and id is not ?`,
    );
    this.#deleteBySid = db.prepare(
      `delete from ${table} where sid = ? and provider = ? and expires_at > ?`,
    );
  }

  create(session: StoredSession): void {
    const { id, provider, subject, email, name, roles, device } = session;
    this.#sweep.run(this.#now());
    this.#insert.run(
      id,
      provider,
      subject,
      email ?? null,
      name ?? null,
      JSON.stringify(roles),
      device,
      session.issuedAtMs,
      session.usedAtMs,
      session.expiresAtMs,
      session.endsAtMs,
      session.sid ?? null,
      session.data ?? null,
    );
  }

  read(id: string): StoredSession | undefined {
    const row = this.#read.get(id);
    if (row === undefined || Number(row["expires_at"]) <= this.#now()) return undefined;
    return sessionOf(row, id);
  }

  touch(
    id: string,
    at: { readonly usedAtMs: number; readonly expiresAtMs: number },
  ): boolean {
    const { usedAtMs, expiresAtMs } = at;
    return this.#touch.run(usedAtMs, expiresAtMs, id, this.#now()).changes === 1;
  }

  replaceData(
    id: string,
    change: { readonly from: string | undefined; readonly to: string },
  ): boolean {
    const { from, to } = change;
    return this.#replace.run(to, id, from ?? null, this.#now()).changes === 1;
  }

  delete(id: string): boolean {
    return this.#delete.run(id, this.#now()).changes === 1;
  }

  list({ provider, subject }: SessionOwner): readonly StoredSession[] {
    return this.#list.all(subject, provider, this.#now()).map((row) => sessionOf(row));
  }

  deleteBySubject(
    { provider, subject }: SessionOwner,
    options: { readonly except?: string } = {},
  ): number {
    const { except = null } = options;
    return Number(this.#deleteBySubject.run(subject, provider, this.#now(), except).changes);
  }

  deleteBySid(provider: string, sid: string): number {
    return Number(this.#deleteBySid.run(sid, provider, this.#now()).changes);
  }
}

/** What a request needs of a row: each column is paid for (`bench/http`). */
const readColumns =
  "provider, subject, email, name, roles, device, issued_at, used_at, expires_at, ends_at, sid, data";

type Row = Readonly<Record<string, unknown>>;

function sessionOf(row: Row, id = String(row["id"])): StoredSession {
  const { email, name, sid, data } = row;
  return {
    id,
    provider: String(row["provider"]),
    subject: String(row["subject"]),
    ...(typeof email === "string" ? { email } : {}),
    ...(typeof name === "string" ? { name } : {}),
    roles: rolesOf(String(row["roles"])),
    device: String(row["device"]),
    issuedAtMs: Number(row["issued_at"]),
    usedAtMs: Number(row["used_at"]),
    expiresAtMs: Number(row["expires_at"]),
    endsAtMs: Number(row["ends_at"]),
    ...(typeof sid === "string" ? { sid } : {}),
    ...(typeof data === "string" ? { data } : {}),
  };
}

function rolesOf(text: string): readonly string[] {
  return text === "[]" ? [] : JSON.parse(text) as string[];
}
