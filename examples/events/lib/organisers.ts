import { type Ctx, key } from "@fw/fw";
import {
  hashPassword,
  needsRehash,
  type PasskeyStore,
  type SessionStore,
  type SignIn,
  sqlitePasskeyStore,
  sqliteSessionStore,
  verifyPassword,
} from "@fw/fw/auth";
import { createHash, timingSafeEqual } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";

/** The accounts of the organisers, as `setup.ts` provides them: `use(c, Organisers)`. */
export const Organisers = key<OrganiserAccounts>("organisers");

/** The account that the first sign-in makes. */
export const firstEmail = "organiser@miradouro.example";

/** The accounts of those who make the schedule, with their sessions and passkeys. */
export class OrganiserAccounts {
  /** Where the sessions are. */
  readonly sessions: SessionStore;
  /** Where the passkeys are. */
  readonly passkeys: PasskeyStore;
  readonly #db: DatabaseSync;
  readonly #firstPassword: string;

  /** Takes the database and the password of the first account, as long as there is none. */
  constructor(db: DatabaseSync, firstPassword: string) {
    this.#db = db;
    this.#firstPassword = firstPassword;
    this.sessions = sqliteSessionStore(db);
    this.passkeys = sqlitePasskeyStore(db);
  }

  /** Adds an account. */
  async add(email: string, password: string, role: "organiser" | "admin"): Promise<void> {
    const hash = await hashPassword(password);
    this.#db.prepare("insert into organisers (email, password, role) values (?, ?, ?)")
      .run(email, hash, role);
  }

  /** The account with this password; takes as long where there is no account. */
  async verify(email: string, password: string, c?: Ctx): Promise<SignIn | undefined> {
    if (this.#isFirst(email, password)) await this.add(firstEmail, password, "admin");
    const row = this.#db.prepare("select id, password from organisers where email = ?").get(email);
    const kept = row === undefined ? undefined : String(row["password"]);
    if (
      !(await verifyPassword(password, kept, c === undefined ? {} : { c })) || kept === undefined
    ) return undefined;
    const hash = needsRehash(kept) ? await hashPassword(password) : kept;
    // A password that was replaced while this one was checked counts no more.
    const { changes } = this.#db
      .prepare("update organisers set password = ? where id = ? and password = ?")
      .run(hash, row?.["id"] ?? null, kept);
    return Number(changes) === 1 ? this.find(String(row?.["id"])) : undefined;
  }

  /** An account by its subject. */
  find(subject: string): SignIn | undefined {
    const row = this.#db.prepare("select email, role from organisers where id = ?").get(subject);
    if (row === undefined) return undefined;
    return { subject, email: String(row["email"]), roles: ["organiser", String(row["role"])] };
  }

  /** Whether these are the credentials of the first account, and there is none yet. */
  #isFirst(email: string, password: string): boolean {
    const count = this.#db.prepare("select count(*) as n from organisers").get()?.["n"];
    const digest = (text: string): Uint8Array => createHash("sha256").update(text).digest();
    return count === 0 && email.toLowerCase() === firstEmail &&
      timingSafeEqual(digest(password), digest(this.#firstPassword));
  }
}
