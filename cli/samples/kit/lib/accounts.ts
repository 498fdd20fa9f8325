import { type Application, type Ctx, key, provide, type RateLimitStore, use } from "@fw/fw";
import {
  hashPassword,
  needsRehash,
  type PasskeyStore,
  type SessionOwner,
  type SessionStore,
  type SignIn,
  type StoredSession,
  verifyPassword,
} from "@fw/fw/auth";
import { type Db, type Infer, int, renameAuthor, struct, text } from "@fw/fw/data";
import { sqliteStores } from "@fw/fw/sqlite";
import { Database } from "./database.ts";
import { PasswordLinks } from "./password_links.ts";

/** An account. */
export interface Account {
  readonly id: string;
  /** The address; `""` if the identity provider has not verified one. */
  readonly email: string;
  /** The display name; `""` for none. */
  readonly name: string;
  readonly roles: readonly string[];
  /** Counts the changes of password, role and address. */
  readonly version: number;
  /** `true` with a password; `false` for an account of a provider alone. */
  readonly hasPassword: boolean;
}

/** The accounts, as `Setup` provides them: `use(c, Accounts)`. */
export const Accounts = key<AccountStore>("accounts");

/** Provides the accounts of the database; a migration creates their tables. */
export function openAccounts(app: Application): void {
  provide(app, Accounts, new AccountStore(use(app, Database)));
}

// if passwords
/** The request that waits for a hash: in a flood, networks and their clients take turns. */
interface Turn {
  readonly c?: Ctx;
}

/** Cleans a name, which must not break session data or change the text direction around it. */
function cleanName(name: string): string {
  return name.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, " ").trim();
}
// end

const User = struct({
  id: int(),
  provider: text(),
  subject: text(),
  email: text(),
  password: text(),
  name: text(),
  role: text(),
  version: int(),
});

/** The accounts, sessions and attempt counters of a database. */
export class AccountStore {
  readonly sessions: SessionStore;
  // if passwords
  readonly links: PasswordLinks;
  readonly passkeys: PasskeyStore;
  readonly attempts: RateLimitStore;
  // end
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
    const stores = sqliteStores(db);
    this.sessions = stores.sessions;
    // if passwords
    this.links = new PasswordLinks(db);
    this.passkeys = stores.passkeys;
    this.attempts = stores.attempts;
    // end
  }

  /** Returns an account that may sign in, by its id. */
  async find(id: string): Promise<Account | undefined> {
    const user = await this.#db.first(User)`
      select ${User} from users where id = ${Number(id)}
      -- if users
      and not disabled
      -- end
      `;
    return user && accountOf(user);
  }

  /** Reports whether password, role and address are unchanged since the account was read. */
  async isCurrent({ id, version }: Account): Promise<boolean> {
    return (await this.find(id))?.version === version;
  }

  // if provider

  /**
   * Returns the account of a user of the identity provider, with the address and name of this
   * sign-in; the first sign-in creates it.
   *
   * Only provider and subject identify the account. With a search by address, an attacker could take
   * over the account of another user: by entering the user's address at the provider, or by using it
   * here before the user first comes from the provider.
   */
  async findOrAdd(user: SessionOwner & Pick<SignIn, "email" | "name">): Promise<Account> {
    const { provider, subject, email = "", name = "" } = user;
    return await this.#db.tx(async () => {
      // if passwords
      const connected = await this.#db.first(User)`
        select ${User} from users where id = (
          select user_id from user_identities
          where provider = ${provider} and subject = ${subject})`;
      if (connected !== undefined) return accountOf(connected);
      // end
      const before = await this.#db.first(User)`
        select ${User} from users where provider = ${provider} and subject = ${subject}
          and provider <> ''`;
      const user = await this.#db.one(User)`
        insert into users (provider, subject, email, password, name)
        values (${provider}, ${subject}, ${email}, '', ${name})
        on conflict (provider, subject) where provider <> ''
          do update set email = excluded.email, name = excluded.name
        returning ${User}`;
      if (before !== undefined && before.email !== email) {
        await this.#renameAuthor(before, historyName({ id: before.id, email }));
      }
      return accountOf(user);
    });
  }
  // end
  // if passwords

  /** Returns the account that signs in with an address and a password. */
  async findByEmail(email: string): Promise<Account | undefined> {
    const user = await this.#user(email);
    return user && accountOf(user);
  }

  async #user(email: string): Promise<Infer<typeof User> | undefined> {
    return await this.#db.first(User)`
      select ${User} from users where email = ${email.toLowerCase()} and provider = ''`;
  }

  /**
   * Returns the account if the password is right, in the same time as without an account. In a
   * flood, known browsers have separate places in the queue.
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

  /**
   * Sets the password of the address to which a link was mailed, and creates its account if needed,
   * with a display name. The other links of the address end, and its browsers are forgotten.
   *
   * @returns The account; `undefined` if the link was used or has expired.
   */
  async setPassword(
    token: string,
    password: string,
    { name = "", ...turn }: Turn & { readonly name?: string } = {},
  ): Promise<Account | undefined> {
    // Check the link before the hash, which costs time and memory.
    if (await this.links.find(token) === undefined) return undefined;
    const hash = await hashPassword(password, turn);
    return await this.#db.tx(async () => {
      const email = await this.links.use(token);
      if (email === undefined) return undefined;
      const user = await this.#db.one(User)`
        insert into users (email, password, name) values (${email}, ${hash}, ${cleanName(name)})
        on conflict (email) where provider = '' do update
          set password = excluded.password, version = users.version + 1
        returning ${User}`;
      await this.links.end(user);
      await this.#db.run`delete from known_browsers where user_id = ${user.id}`;
      await this.sessions.deleteBySubject(sessionOwner(user));
      return accountOf(user);
    });
  }

  /**
   * Changes the address of an account to that of a link; its other links end.
   *
   * @returns The account; `undefined` if the link was used, has expired or is another account's.
   * @throws {ConstraintError} if another account has the address.
   */
  async changeEmail(id: string, token: string): Promise<Account | undefined> {
    return await this.#db.tx(async () => {
      const before = await this.find(id);
      const email = await this.links.use(token, id);
      if (before === undefined || email === undefined) return undefined;
      const user = await this.#db.one(User)`
        update users set email = ${email}, version = version + 1
        where id = ${Number(id)} returning ${User}`;
      await this.links.end({ id: user.id, email: before.email });
      await this.#renameAuthor({ ...user, email: before.email }, email);
      await this.sessions.deleteBySubject(sessionOwner(user));
      return accountOf(user);
    });
  }
  // end

  /** Renames a user in the history of rows. */
  async #renameAuthor(user: Infer<typeof User>, to: string | null): Promise<void> {
    // if provider
    const { email } = user;
    // The entries may belong to another account with the same address.
    const isShared = await this.#db.first(int())`-- scan: for a change of address
      select 1 from users where email = ${email} limit 1` !== undefined;
    if (email !== "" && isShared) return;
    // end
    await renameAuthor(this.#db, historyName(user), to);
  }

  /** Deletes an account with all that belongs to it, and ends its sessions. */
  async delete(id: number): Promise<true> {
    const owner = await this.removeRow(String(id));
    if (owner !== undefined) await this.sessions.deleteBySubject(owner);
    return true;
  }

  /**
   * Deletes an account with all that belongs to it, in the caller's transaction.
   *
   * @returns The owner of its sessions. End them again after the commit, so that a sign-in at the same
   * time either fails or is ended.
   */
  async removeRow(id: string): Promise<SessionOwner | undefined> {
    return await this.#db.tx(async () => {
      const user = await this.#db.first(User)`
        delete from users where id = ${Number(id)} returning ${User}`;
      if (user === undefined) return undefined;
      await this.#renameAuthor(user, null);
      await this.sessions.deleteBySubject(sessionOwner(user));
      // if passwords
      if (user.provider === "") {
        await this.#db.run`delete from password_links where email = ${user.email}`;
      }
      for (const passkey of await this.passkeys.list(id)) {
        await this.passkeys.remove(id, passkey.id);
      }
      // end
      return sessionOwner(user);
    });
  }
  // if passwords

  /** Sets the display name, `""` for none, also in the sessions. */
  async rename(id: string, typed: string): Promise<void> {
    const name = cleanName(typed);
    await this.#db.run`update users set name = ${name} where id = ${Number(id)}`;
    // A session that ends meanwhile stays ended.
    await this.sessions.rename?.({ provider: "", subject: id }, name || undefined);
  }
  // end

  /**
   * Sets the roles of an account, separated by spaces, and ends its sessions, which contain old ones.
   *
   * @param who The address or the id of the account.
   * @returns `false` if there is no such account, or several have the address.
   */
  async setRole(who: string, role: string): Promise<boolean> {
    const id = /^\d{1,15}$/.test(who) ? Number(who) : 0;
    const [user, ...more] = await this.#db.all(User)`-- scan: for a change of role
      select ${User} from users
      where (email <> '' and lower(email) = ${who.toLowerCase()}) or id = ${id}`;
    // With an address alone, a provider's user would get the role that another account should have.
    if (user === undefined || more.length > 0) return false;
    await this.#db.tx(async () => {
      await this.#db.run`update users set role = ${role} where id = ${user.id}`;
      await this.signOut(String(user.id));
    });
    await this.sessions.deleteBySubject(sessionOwner(user));
    return true;
  }

  /**
   * Ends the sessions of an account. After a transaction of the caller, end them again: a sign-in may have
   * read the account before the commit.
   */
  async signOut(id: string): Promise<void> {
    await this.#db.tx(async () => {
      await this.#db.run`update users set version = version + 1 where id = ${Number(id)}`;
      await this.endSessions(id);
    });
    await this.endSessions(id);
  }

  /** Ends the sessions of an account that exist now. */
  async endSessions(id: string): Promise<void> {
    const user = await this.#db.first(User)`select ${User} from users where id = ${Number(id)}`;
    if (user !== undefined) await this.sessions.deleteBySubject(sessionOwner(user));
  }
  // if users

  /** Lists the sessions of an account, the last used one first. */
  async listSessions(id: number): Promise<readonly StoredSession[]> {
    const user = await this.#db.first(User)`select ${User} from users where id = ${id}`;
    return user === undefined ? [] : await this.sessions.list(sessionOwner(user));
  }
  // end
}

/**
 * Returns the name of a user in the history: the address, else the id. A provider's subject may be
 * the address of another user, or equal other values of the history.
 */
function historyName({ id, email }: Pick<Infer<typeof User>, "id" | "email">): string {
  return email || `#${id}`;
}

/** Returns the owner of the sessions of an account. */
function sessionOwner({ id, provider, subject }: Infer<typeof User>): SessionOwner {
  return { provider, subject: provider === "" ? String(id) : subject };
}

function accountOf({ id, provider, email, name, role, version }: Infer<typeof User>): Account {
  const roles = role.split(" ").filter(Boolean);
  return { id: String(id), email, name, roles, version, hasPassword: provider === "" };
}
