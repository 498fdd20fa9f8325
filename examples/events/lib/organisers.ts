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

/** The accounts of the organisers, as `setup.ts` provides them: `use(c, Organisers)`. */
export const Organisers = key<OrganiserAccounts>("organisers");

/** The account that the first sign-in makes. */
export const firstEmail = "organiser@miradouro.example";

/** The accounts of those who make the schedule. */
export class OrganiserAccounts {
  /** Where the sessions are. */
  readonly sessions: SessionStore;
  /** Where the passkeys are. */
  readonly passkeys: PasskeyStore;
  readonly #db: SqliteDb;
  readonly #firstPassword: string;

  /** Takes the database and the password of the first account, as long as there is none. */
  constructor(db: SqliteDb, firstPassword: string) {
    this.#db = db;
    this.#firstPassword = firstPassword;
    // All other stores stay in the memory of the process: each change of a limit would be a write.
    const { sessions, passkeys } = sqliteStores(db);
    this.sessions = sessions;
    this.passkeys = passkeys;
  }

  /** Adds an account, where the address has none. */
  async add(email: string, password: string, role: "organiser" | "admin"): Promise<void> {
    const hash = await hashPassword(password);
    await this.#db.run`
      insert into organisers (email, password, role) values (${email}, ${hash}, ${role})
      on conflict (email) do nothing`;
  }

  /** The account with this password; takes as long where there is no account. */
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
    // A password that was replaced while this one was checked counts no more.
    const changed = await this.#db.run`
      update organisers set password = ${hash} where id = ${id} and password = ${kept}`;
    return changed === 1 ? await this.find(String(id)) : undefined;
  }

  /** An account by its subject. */
  async find(subject: string): Promise<SignIn | undefined> {
    const row = await this.#db.first(Account)`
      select ${Account} from organisers where id = ${Number(subject)}`;
    return row && { subject, email: row.email, roles: ["organiser", row.role] };
  }

  /** Whether these are the credentials of the first account, and there is none yet. */
  async #isFirst(email: string, password: string): Promise<boolean> {
    const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
    const isKnown = email.toLowerCase() === firstEmail &&
      timingSafeEqual(digest(password), digest(this.#firstPassword));
    return isKnown && await this.#db.first(int())`select id from organisers limit 1` === undefined;
  }
}

const Login = struct({ id: int(), password: text() });
const Account = struct({ email: text(), role: text() });
