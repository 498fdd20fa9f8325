import { type Application, type Ctx, key, provide, type RateLimitStore, use } from "@fw/fw";
import {
  hashPassword,
  needsRehash,
  type PasskeyStore,
  type SessionStore,
  verifyPassword,
} from "@fw/fw/auth";
import { type Db, type Infer, int, renameAuthor, type Sql, sql, struct, text } from "@fw/fw/data";
import { sqliteStores } from "@fw/fw/sqlite";
import { createHash, randomBytes } from "node:crypto";
import { Database } from "./database.ts";

/** An account. */
export interface Account {
  readonly id: string;
  readonly email: string;
  /** The name that others see; `""` for none. */
  readonly name: string;
  readonly roles: readonly string[];
  /** Counts what was set: passwords, roles, addresses. */
  readonly version: number;
}

/** The accounts, as `Setup` provides them: `use(c, Accounts)`. */
export const Accounts = key<AccountStore>("accounts");

/** Provides the accounts of the database; a migration makes their tables. */
export function openAccounts(app: Application): void {
  provide(app, Accounts, new AccountStore(use(app, Database)));
}

/**
 * A link counts for half an hour, and an address has three of a kind at most: its mailbox cannot be
 * flooded.
 */
const linkMs = 30 * 60_000;
const maxLinks = 3;

/** A browser that has signed in is known for a year; an account has ten of them. */
export const knownMs = 365 * 86_400_000;
const maxKnown = 10;

/** Whose turn a hash takes: in a flood, networks and their clients take turns. */
interface Turn {
  readonly c?: Ctx;
}

const User = struct({
  id: int(),
  email: text(),
  password: text(),
  name: text(),
  role: text(),
  version: int(),
});

/** The accounts, with the sessions and the counters of attempts in the same database. Addresses are kept in lower case. */
export class AccountStore {
  readonly sessions: SessionStore;
  readonly passkeys: PasskeyStore;
  readonly attempts: RateLimitStore;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
    const { sessions, passkeys, attempts } = sqliteStores(db);
    this.sessions = sessions;
    this.passkeys = passkeys;
    this.attempts = attempts;
  }

  /** Returns an account by its id. */
  async find(id: string): Promise<Account | undefined> {
    const user = await this.#db.first(User)`select ${User} from users where id = ${Number(id)}`;
    return user && accountOf(user);
  }

  /** Returns an account by its address. */
  async findByEmail(email: string): Promise<Account | undefined> {
    const user = await this.#user(email);
    return user && accountOf(user);
  }

  async #user(email: string): Promise<Infer<typeof User> | undefined> {
    return await this.#db.first(User)`
      select ${User} from users where email = ${email.toLowerCase()}`;
  }

  /** Whether a browser has signed in to the account before. */
  async isKnown(email: string, browser: string | undefined): Promise<boolean> {
    return await this.#db.first(int())`
      select 1 from known_browsers join users on users.id = user_id
        where token = ${digest(browser ?? "")} and email = ${email.toLowerCase()}
          and expires_at > ${Date.now()}` !== undefined;
  }

  /**
   * Returns the account with this password; takes as long where there is no account. In a flood a known
   * browser has a place of its own.
   */
  async verify(
    email: string,
    password: string,
    turn: Turn & { readonly isKnown?: boolean } = {},
  ): Promise<Account | undefined> {
    const user = await this.#user(email);
    const kept = user?.password;
    if (!(await verifyPassword(password, kept, turn)) || user === undefined) return undefined;
    if (needsRehash(user.password)) {
      const hash = await hashPassword(password, turn);
      await this.#db.run`
        update users set password = ${hash} where id = ${user.id} and password = ${user.password}`;
    }
    const account = accountOf(user);
    return await this.isCurrent(account) ? account : undefined;
  }

  /** Whether no other password, role or address was set since the account was read. */
  async isCurrent({ id, version }: Account): Promise<boolean> {
    return (await this.find(id))?.version === version;
  }

  /** Remembers a browser that signed in; returns what its cookie holds. */
  async addBrowser({ id }: Account): Promise<string> {
    const token = randomBytes(32).toString("base64url");
    const user = Number(id);
    await this.#db.tx(async () => {
      await this.#db.run`insert into known_browsers (token, user_id, expires_at)
        values (${digest(token)}, ${user}, ${Date.now() + knownMs})`;
      await this.#db.run`
        delete from known_browsers where user_id = ${user} and token not in (
          select token from known_browsers where user_id = ${user}
            order by expires_at desc limit ${maxKnown})`;
    });
    return token;
  }

  /**
   * Makes the token of a link that sets a password, or that gives an account the address; `undefined`
   * where the address has enough of them.
   */
  async addLink(email: string, account?: string): Promise<string | undefined> {
    const token = randomBytes(32).toString("base64url");
    const now = Date.now();
    await this.#db.run`delete from password_links where expires_at <= ${now}`;
    // Each place is taken once: of requests that arrive together none gets one too many, and those of
    // other addresses wait for none of them. Links that give an account the address have places of their
    // own, so that strangers cannot keep its owner from a new password.
    const first = account === undefined ? 0 : maxLinks;
    for (let place = first; place < first + maxLinks; place++) {
      const added = await this.#db.run`
        insert into password_links (token, email, place, expires_at, user_id)
        values (${digest(token)}, ${email.toLowerCase()}, ${place}, ${now + linkMs},
          ${account === undefined ? null : Number(account)})
        on conflict (email, place) do nothing`;
      if (added === 1) return token;
    }
    return undefined;
  }

  /**
   * Returns the address that a link was mailed to: one that sets a password, or one of an account;
   * `undefined` for one that was used or is too old.
   */
  async emailOf(token: string, account?: string): Promise<string | undefined> {
    return await this.#db.first(text())`
      select email from password_links where ${live(token, account)}`;
  }

  /** Deletes a link that was never sent. */
  async dropLink(token: string): Promise<void> {
    await this.#db.run`delete from password_links where token = ${digest(token)}`;
  }

  /**
   * Sets the password of the address that a link was mailed to, and makes its account where there is none.
   * The links of the address end, and its browsers are no longer known.
   *
   * @returns The account; `undefined` for a link that was used or is too old.
   */
  async setPassword(
    token: string,
    password: string,
    turn: Turn = {},
  ): Promise<Account | undefined> {
    // Without a link there is no hash, which costs time and memory.
    if (await this.emailOf(token) === undefined) return undefined;
    const hash = await hashPassword(password, turn);
    return await this.#db.tx(async () => {
      // Of two requests with the same link one deletes it.
      const email = await this.#db.first(text())`
        delete from password_links where ${live(token)} returning email`;
      if (email === undefined) return undefined;
      const user = await this.#db.one(User)`
        insert into users (email, password) values (${email}, ${hash})
        on conflict (email) do update
          set password = excluded.password, version = users.version + 1
        returning ${User}`;
      await this.#endLinks(user);
      await this.#db.run`delete from known_browsers where user_id = ${user.id}`;
      return accountOf(user);
    });
  }

  /**
   * Gives an account the address that a link was mailed to; the other links of the account end.
   *
   * @returns The account; `undefined` for a link that was used, is too old or is of another account.
   * @throws {ConstraintError} if another account has the address.
   */
  async changeEmail(id: string, token: string): Promise<Account | undefined> {
    return await this.#db.tx(async () => {
      const before = await this.find(id);
      const email = await this.#db.first(text())`
        delete from password_links where ${live(token, id)} returning email`;
      if (before === undefined || email === undefined) return undefined;
      const user = await this.#db.one(User)`
        update users set email = ${email}, version = version + 1
        where id = ${Number(id)} returning ${User}`;
      await this.#endLinks({ id: user.id, email: before.email });
      await renameAuthor(this.#db, before.email, email);
      return accountOf(user);
    });
  }

  async #endLinks({ id, email }: { readonly id: number; readonly email: string }): Promise<void> {
    await this.#db.run`delete from password_links where email = ${email} or user_id = ${id}`;
  }

  /** Deletes an account with its picture, its passkeys, its sessions, and the links that would make it again. */
  async remove(id: string): Promise<true> {
    await this.#db.tx(async () => {
      const email = await this.#db.first(text())`
        delete from users where id = ${Number(id)} returning email`;
      if (email !== undefined) {
        await this.#db.run`delete from password_links where email = ${email}`;
        // The history of rows names users by their address.
        await renameAuthor(this.#db, email, null);
      }
      for (const passkey of await this.passkeys.list(id)) {
        await this.passkeys.remove(id, passkey.id);
      }
    });
    await this.sessions.deleteBySubject({ provider: "", subject: id });
    return true;
  }

  /** Sets the name that others see, `""` for none; the sessions hold it too. */
  async rename(id: string, name: string): Promise<void> {
    await this.#db.run`update users set name = ${name} where id = ${Number(id)}`;
    // One that ends meanwhile stays ended.
    await this.sessions.rename?.({ provider: "", subject: id }, name || undefined);
  }

  /** Sets the role, `""` for none, and ends the sessions, which hold the role of the sign-in. */
  async setRole(email: string, role: string): Promise<boolean> {
    const user = await this.#db.first(User)`
      update users set role = ${role}, version = version + 1
      where email = ${email.toLowerCase()} returning ${User}`;
    if (user === undefined) return false;
    await this.sessions.deleteBySubject({ provider: "", subject: String(user.id) });
    return true;
  }
}

/** The link of a token that still counts, for a password or for an account. */
function live(token: string, account = "0"): Sql {
  return sql`token = ${digest(token)} and coalesce(user_id, 0) = ${Number(account)}
    and expires_at > ${Date.now()}`;
}

/** The tables hold hashes: a copy of them opens nothing. */
function digest(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

function accountOf({ id, email, name, role, version }: Infer<typeof User>): Account {
  return { id: String(id), email, name, roles: role === "" ? [] : [role], version };
}
