import { createHash, randomBytes } from "node:crypto";
import { type Db, type Sql, sql, text } from "@fw/fw/data";

/**
 * A link is valid for half an hour. An address has at most three of each kind, so its mailbox
 * cannot be flooded.
 */
const linkMs = 30 * 60_000;
const maxLinks = 3;

/** The mailed links that set a password or change the address of an account. */
export class PasswordLinks {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /**
   * Creates the token of a link that sets a password or changes an account's address; `undefined`
   * if the address has too many links.
   */
  async add(email: string, account?: string): Promise<string | undefined> {
    const token = randomBytes(32).toString("base64url");
    const now = Date.now();
    await this.#db.run`delete from password_links where expires_at <= ${now}`;
    // Each place is taken once, so concurrent requests cannot exceed the limit, and other addresses
    // need not wait. Links that change an address have separate places, so that strangers cannot
    // block password links.
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
   * Returns the address to which a link was mailed, for a password or for an account; `undefined`
   * if the link was used or has expired.
   */
  async find(token: string, account?: string): Promise<string | undefined> {
    return await this.#db.first(text())`
      select email from password_links where ${live(token, account)}`;
  }

  /** Uses a link up: only one of two requests with the same link gets its address. */
  async use(token: string, account?: string): Promise<string | undefined> {
    return await this.#db.first(text())`
      delete from password_links where ${live(token, account)} returning email`;
  }

  /** Deletes a link that was never sent. */
  async drop(token: string): Promise<void> {
    await this.#db.run`delete from password_links where token = ${digest(token)}`;
  }

  /** Deletes the links of an address and those of an account. */
  async end({ id, email }: { readonly id: number; readonly email: string }): Promise<void> {
    await this.#db.run`delete from password_links where email = ${email} or user_id = ${id}`;
  }
}

/** Matches the valid link of a token, for a password or for an account. */
function live(token: string, account = "0"): Sql {
  return sql`token = ${digest(token)} and coalesce(user_id, 0) = ${Number(account)}
    and expires_at > ${Date.now()}`;
}

/** Hashes a token: the tables contain only hashes, so a copy of them is useless. */
export function digest(token: string): string {
  return createHash("sha256").update(token).digest().toString("base64url");
}
