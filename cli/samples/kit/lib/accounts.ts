import { type Application, type Ctx, key, MemoryRateLimitStore, provide, use } from "@fw/fw";
import {
  hashPassword,
  needsRehash,
  type PasskeyStore,
  type SessionStore,
  verifyPassword,
} from "@fw/fw/auth";
import { type SqliteDb, sqliteStores } from "@fw/fw/sqlite";
import { createHash, randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { Database } from "./database.ts";

/** An account. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly roles: readonly string[];
  /** Counts the passwords that were set. */
  readonly version: number;
}

/** The accounts, as `Setup` provides them: `use(c, Accounts)`. */
export const Accounts = key<AccountStore>("accounts");

/** Provides the accounts of the database; a migration makes their tables. */
export function openAccounts(app: Application): void {
  provide(app, Accounts, new AccountStore(use(app, Database)));
}

/** A link counts for half an hour, and an address has three at most: its mailbox cannot be flooded. */
const linkMs = 30 * 60_000;
const maxLinks = 3;

/** A browser that has signed in is known for a year; an account has ten of them. */
export const knownMs = 365 * 86_400_000;
const maxKnown = 10;

/** Ten tries at once, then one every ten seconds. */
const tries = { rate: 0.1, burst: 10 };

/** The accounts, with the sessions in the same database. */
export class AccountStore {
  readonly db: DatabaseSync;
  readonly sessions: SessionStore;
  readonly passkeys: PasskeyStore;
  /** In memory: with several processes each of them counts for itself. */
  readonly #tries = new MemoryRateLimitStore();

  constructor(db: SqliteDb) {
    this.db = db.raw;
    const { sessions, passkeys } = sqliteStores(db);
    this.sessions = sessions;
    this.passkeys = passkeys;
  }

  /** Returns an account by its id. */
  find(id: string): Account | undefined {
    const row = this.db.prepare("select * from users where id = ?").get(id);
    return row && accountOf(row);
  }

  /** Returns an account by its address. */
  findByEmail(email: string): Account | undefined {
    const row = this.db.prepare("select * from users where email = ?").get(email);
    return row && accountOf(row);
  }

  /**
   * Counts a try to sign in: for the address, or for a browser that has signed in to the account before.
   * Guesses of a stranger therefore never lock the owner out.
   *
   * @returns 0, or how many milliseconds there are to wait.
   */
  takeTry(email: string, browser: string | undefined): number {
    const isKnown = this.isKnown(email, browser);
    const who = isKnown ? `browser ${browser}` : `address ${email.toLowerCase()}`;
    return this.#tries.take(who, tries);
  }

  /** Whether a browser has signed in to the account before. */
  isKnown(email: string, browser: string | undefined): boolean {
    return this.db.prepare(
      `select 1 from known_browsers join users on users.id = user_id
         where token = ? and email = ? and expires_at > ?`,
    ).get(digest(browser ?? ""), email, Date.now()) !== undefined;
  }

  /**
   * Returns the account with this password; takes as long where there is no account. In a flood the clients
   * take turns, and a known browser has a place of its own.
   */
  async verify(
    email: string,
    password: string,
    turn: { readonly c?: Ctx; readonly isKnown?: boolean } = {},
  ): Promise<Account | undefined> {
    const row = this.db.prepare("select * from users where email = ?").get(email);
    const kept = row && String(row["password"]);
    if (!(await verifyPassword(password, kept, turn)) || row === undefined) return undefined;
    const account = accountOf(row);
    if (kept !== undefined && needsRehash(kept)) {
      const hash = await hashPassword(password);
      this.db.prepare("update users set password = ? where id = ? and password = ?")
        .run(hash, account.id, kept);
    }
    return this.isCurrent(account) ? account : undefined;
  }

  /** Whether neither another password nor another role was set since the account was read. */
  isCurrent({ id, version }: Account): boolean {
    return this.find(id)?.version === version;
  }

  /** Remembers a browser that signed in; returns what its cookie holds. */
  addBrowser({ id }: Account): string {
    const token = randomBytes(32).toString("base64url");
    this.db.prepare("insert into known_browsers values (?, ?, ?)")
      .run(digest(token), id, Date.now() + knownMs);
    this.db.prepare(
      `delete from known_browsers where user_id = ? and token not in
         (select token from known_browsers where user_id = ? order by expires_at desc limit ?)`,
    ).run(id, id, maxKnown);
    return token;
  }

  /** Makes the token of a link that sets a password; `undefined` where the address has enough of them. */
  addLink(email: string): string | undefined {
    const token = randomBytes(32).toString("base64url");
    const now = Date.now();
    this.db.prepare("delete from password_links where expires_at <= ?").run(now);
    const { changes } = this.db.prepare(
      `insert into password_links select ?, ?, ?
         where (select count(*) from password_links where email = ?) < ?`,
    ).run(digest(token), email, now + linkMs, email, maxLinks);
    return Number(changes) === 1 ? token : undefined;
  }

  /** Returns the address that a link was mailed to; `undefined` for one that was used or is too old. */
  emailOf(token: string): Promise<string | undefined> {
    return Promise.resolve(this.#emailOf(token));
  }

  #emailOf(token: string): string | undefined {
    const find = this.db.prepare(
      "select email from password_links where token = ? and expires_at > ?",
    );
    const row = find.get(digest(token), Date.now());
    return row && String(row["email"]);
  }

  /** Deletes a link that was never sent. */
  dropLink(token: string): void {
    this.db.prepare("delete from password_links where token = ?").run(digest(token));
  }

  /**
   * Sets the password of the address that a link was mailed to, and makes its account where there is none.
   * The links of the address end, and its browsers are no longer known.
   *
   * @returns The account; `undefined` for a link that was used or is too old.
   */
  async setPassword(token: string, password: string): Promise<Account | undefined> {
    // Without a link there is no hash, which costs time and memory.
    if (this.#emailOf(token) === undefined) return undefined;
    const hash = await hashPassword(password);
    const email = this.#emailOf(token);
    if (email === undefined) return undefined;
    this.db.prepare("delete from password_links where email = ?").run(email);
    const row = this.db.prepare(
      `insert into users (email, password) values (?, ?)
         on conflict (email) do update set password = excluded.password, version = version + 1
         returning *`,
    ).get(email, hash);
    if (row === undefined) return undefined;
    const account = accountOf(row);
    this.db.prepare("delete from known_browsers where user_id = ?").run(account.id);
    return account;
  }

  /** Sets the role, `""` for none, and ends the sessions, which hold the role of the sign-in. */
  async setRole(email: string, role: string): Promise<boolean> {
    const row = this.db.prepare(
      "update users set role = ?, version = version + 1 where email = ? returning *",
    ).get(role, email);
    if (row === undefined) return false;
    await this.sessions.deleteBySubject({ provider: "", subject: accountOf(row).id });
    return true;
  }
}

/** The tables hold hashes: a copy of them opens nothing. */
function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function accountOf(row: Readonly<Record<string, unknown>>): Account {
  const role = String(row["role"]);
  return {
    id: String(row["id"]),
    email: String(row["email"]),
    roles: role === "" ? [] : [role],
    version: Number(row["version"]),
  };
}
