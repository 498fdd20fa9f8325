import type { DatabaseSync, StatementSync } from "node:sqlite";
import { noteMemoryState } from "../../mod.ts";
import type { Awaitable } from "../../runtime/addon.ts";
import { checkTable } from "../sqlite_store.ts";

/** A passkey of a user, as a store keeps it. */
export interface Passkey {
  /** The identifier of the credential, in base64url; up to 1,364 characters. */
  readonly id: string;
  /** The account that signs in with it. */
  readonly subject: string;
  /** What the authenticator knows the account by, in base64url: random, one for each account. */
  readonly userHandle: string;
  /** The public key, a JSON Web Key. */
  readonly publicKey: JsonWebKey;
  /** How many signatures the authenticator has made, where it counts; else 0. */
  readonly signCount: number;
  /** Whether it can be kept on several devices, as its last sign-in said. */
  readonly isBackupEligible: boolean;
  /** Whether it is kept on several devices. */
  readonly isBackedUp: boolean;
  /** What the user knows it by, such as `Firefox on Linux`. */
  readonly label: string;
  /** When it was registered, in milliseconds since 1970. */
  readonly createdAtMs: number;
  /** When it was last used, in milliseconds since 1970. */
  readonly usedAtMs: number;
  /** When the challenge of its last sign-in was made, 0 before: an older one is worth nothing. */
  readonly challengedAtMs: number;
}

/** What a sign-in changes of a passkey. */
export type PasskeyUse = Pick<
  Passkey,
  "signCount" | "isBackupEligible" | "isBackedUp" | "usedAtMs" | "challengedAtMs"
>;

/**
 * Whether a passkey was kept. `exists`: there is one of that `id`, for any subject; `too-many`: the subject has as
 * many as it can; `handle`: the subject is known to its authenticators by another `userHandle`.
 */
export type PasskeyAdded = "added" | "exists" | "too-many" | "handle";

/** Keeps the passkeys of an application. They are public keys: no secret. */
export interface PasskeyStore {
  /**
   * Keeps a new passkey if it fits, in one step: of many registrations at once none is one too many.
   *
   * @param options `max` is how many passkeys the subject can have.
   */
  add(passkey: Passkey, options: { readonly max: number }): Awaitable<PasskeyAdded>;
  /** Returns a passkey by its `id`. */
  find(id: string): Awaitable<Passkey | undefined>;
  /** Returns the passkeys of a subject, the oldest first. */
  list(subject: string): Awaitable<readonly Passkey[]>;
  /**
   * Notes a sign-in if its challenge is newer than that of the last one, in one step: a response that
   * is sent twice counts once.
   *
   * @returns Whether it was noted.
   */
  use(id: string, use: PasskeyUse): Awaitable<boolean>;
  /** Deletes a passkey of a subject; returns whether the subject had it. */
  remove(subject: string, id: string): Awaitable<boolean>;
}

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
  noteMemoryState("passkeys", "give passkeys() sqlitePasskeyStore(db)");
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
