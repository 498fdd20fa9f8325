import type { DatabaseSync, StatementSync } from "node:sqlite";
import { type Application, noteMemoryState } from "../../mod.ts";
import {
  findStores,
  noteStoreState,
  type Passkey,
  type PasskeyStore,
} from "../../runtime/addon.ts";
import { checkTable } from "../sqlite_store.ts";

/**
 * Keeps passkeys in the memory of the process, without a bound: for tests, since users who lose theirs
 * cannot sign in.
 *
 * @returns The store.
 * @example
 * ```ts
 * import { memoryPasskeyStore, passkeys } from "@fw/fw/auth";
 *
 * const keys = passkeys({ rpId: "example.com", store: memoryPasskeyStore() });
 * console.assert(typeof keys.verify === "function");
 * ```
 */
export function memoryPasskeyStore(): PasskeyStore {
  noteMemoryState("passkeys", "leave the store of passkeys() out and provideStores(app, …)");
  return keepInMemory();
}

/** Returns the store of an application: the one provided, else one in memory. */
export function providedPasskeys(): (app: Application) => PasskeyStore {
  noteStoreState("passkeys", "passkeys");
  return (app) => findStores(app).passkeys ?? keepInMemory();
}

function keepInMemory(): PasskeyStore {
  const passkeys = new Map<string, Passkey>();
  const list = (subject: string): readonly Passkey[] =>
    [...passkeys.values()].filter((passkey) => passkey.subject === subject);
  return {
    add: (passkey, { max }) => {
      const refusal = refusalOf(passkey, { max, present: list(passkey.subject) });
      if (passkeys.has(passkey.id)) return "exists";
      if (refusal !== undefined) return refusal;
      passkeys.set(passkey.id, passkey);
      return "added";
    },
    find: (id) => passkeys.get(id),
    list,
    use: (id, use) => {
      const passkey = passkeys.get(id);
      if (passkey === undefined || passkey.challengedAtMs >= use.challengedAtMs) return false;
      passkeys.set(id, { ...passkey, ...use });
      return true;
    },
    remove: (subject, id) => passkeys.get(id)?.subject === subject && passkeys.delete(id),
  };
}

/**
 * Keeps passkeys in a SQLite database. The table is created where it is missing.
 *
 * @param db The opened database of `node:sqlite`; its owner closes it.
 * @param options `table` is the name of the table. @default "fw_passkeys"
 * @returns The store.
 * @throws {RangeError} for a name that is no identifier.
 * @example
 * ```ts
 * import { passkeys, sqlitePasskeyStore } from "@fw/fw/auth";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const db = new DatabaseSync(":memory:");
 * const keys = passkeys({ rpId: "example.com", store: sqlitePasskeyStore(db) });
 * console.assert(typeof keys.verify === "function");
 * db.close();
 * ```
 */
export function sqlitePasskeyStore(
  db: DatabaseSync,
  options: { readonly table?: string } = {},
): PasskeyStore {
  const { table = "fw_passkeys" } = options;
  checkTable(table);
  db.exec(`
    create table if not exists ${table} (
      id text not null unique,
      subject text not null,
      challenged_at integer not null,
      passkey text not null
    ) strict;
    create index if not exists ${table}_by_subject on ${table} (subject);
  `);
  const run = (statement: StatementSync, ...values: (string | number)[]): boolean =>
    Number(statement.run(...values).changes) === 1;
  const insert = db.prepare(
    `insert or ignore into ${table} select ?1, ?2, ?3, ?4
       where (select count(*) from ${table} where subject = ?2) < ?5 and not exists
         (select 1 from ${table} where subject = ?2 and passkey ->> 'userHandle' <> ?6)`,
  );
  const find = db.prepare(`select passkey from ${table} where id = ?`);
  const list = db.prepare(`select passkey from ${table} where subject = ? order by rowid`);
  const use = db.prepare(
    `update ${table} set passkey = json_patch(passkey, ?), challenged_at = ?
       where id = ? and challenged_at < ?`,
  );
  const remove = db.prepare(`delete from ${table} where subject = ? and id = ?`);
  return {
    add: (passkey, { max }) => {
      const { id, subject, challengedAtMs, userHandle } = passkey;
      const row = [id, subject, challengedAtMs, JSON.stringify(passkey)];
      if (run(insert, ...row, max, userHandle)) return "added";
      const present = list.all(subject).map(parseRow);
      return refusalOf(passkey, { max, present }) ?? "exists";
    },
    find: (id) => {
      const row = find.get(id);
      return row === undefined ? undefined : parseRow(row);
    },
    list: (subject) => list.all(subject).map(parseRow),
    use: (id, change) => {
      const { challengedAtMs } = change;
      return run(use, JSON.stringify(change), challengedAtMs, id, challengedAtMs);
    },
    remove: (subject, id) => run(remove, subject, id),
  };
}

function refusalOf(
  { userHandle }: Passkey,
  { max, present }: { readonly max: number; readonly present: readonly Passkey[] },
): "too-many" | "handle" | undefined {
  if (present.some((other) => other.userHandle !== userHandle)) return "handle";
  return present.length >= max ? "too-many" : undefined;
}

function parseRow(row: Readonly<Record<string, unknown>>): Passkey {
  return JSON.parse(String(row["passkey"]));
}
