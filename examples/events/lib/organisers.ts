import { type Ctx, int, key, struct, text } from "@fw/fw";
import {
  hashPassword,
  needsRehash,
  type PasskeyStore,
  type SessionStore,
  type SignIn,
  verifyPassword,
} from "@fw/fw/auth";
import { type SqliteDb, sqliteStores } from "@fw/fw/sqlite";
import { createHash, timingSafeEqual } from "node:crypto";

/** The organisers' accounts provided by `setup.ts`: `use(c, Organisers)`. */
export const Organisers = key<OrganiserAccounts>("organisers");

/** The account that the first sign-in creates. */
export const firstEmail = "organiser@miradouro.example";

/** The accounts of the organisers. */
export class OrganiserAccounts {
  /** The session store. */
  readonly sessions: SessionStore;
  /** The passkey store. */
  readonly passkeys: PasskeyStore;
  readonly #db: SqliteDb;
  readonly #firstPassword: string;

  /** Uses the password for the first account, while there is none. */
  constructor(db: SqliteDb, firstPassword: string) {
    this.#db = db;
    this.#firstPassword = firstPassword;
    // All other stores stay in memory, because each change of a limit would be a write.
    const { sessions, passkeys } = sqliteStores(db);
    this.sessions = sessions;
    this.passkeys = passkeys;
  }

  /** Adds an account if the address has none. */
  async add(email: string, password: string, role: "organiser" | "admin"): Promise<void> {
    const hash = await hashPassword(password);
    await this.#db.run`
      insert into organisers (email, password, role) values (${email}, ${hash}, ${role})
      on conflict (email) do nothing`;
  }

  /** Returns the account with this password; takes equally long without an account. */
  async verify(
    email: string,
    password: string,
    turn: { readonly c?: Ctx; readonly isKnown?: boolean } = {},
  ): Promise<SignIn | undefined> {
    if (await this.#isFirst(email, password)) await this.add(firstEmail, password, "admin");
    const found = await this.#db.first(Login)`
      select ${Login} from organisers where email = ${email}`;
    const isVerified = await verifyPassword(password, found?.password, turn);
    if (found === undefined || !isVerified) return undefined;
    const { id, password: kept } = found;
    const hash = needsRehash(kept) ? await hashPassword(password, turn) : kept;
    // The password may have been replaced during the check.
    const changed = await this.#db.run`
      update organisers set password = ${hash} where id = ${id} and password = ${kept}`;
    return changed === 1 ? await this.find(String(id)) : undefined;
  }

  /** Returns an account by its subject. */
  async find(subject: string): Promise<SignIn | undefined> {
    const row = await this.#db.first(Account)`
      select ${Account} from organisers where id = ${Number(subject)}`;
    return row && { subject, email: row.email, roles: ["organiser", row.role] };
  }

  /** Returns whether these are the credentials of the first account and there is none yet. */
  async #isFirst(email: string, password: string): Promise<boolean> {
    const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
    const isKnown = email.toLowerCase() === firstEmail &&
      timingSafeEqual(digest(password), digest(this.#firstPassword));
    return isKnown && await this.#db.first(int())`select id from organisers limit 1` === undefined;
  }
}

const Login = struct({ id: int(), password: text() });
const Account = struct({ email: text(), role: text() });
