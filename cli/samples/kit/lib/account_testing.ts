/**
 * Accounts for tests, without password hashes. Only tests may import this file.
 *
 * @module
 */
import { type App, use } from "@fw/fw";
import { withUser } from "@fw/fw/auth/testing";
import { int } from "@fw/fw/data";
import type { TestOption } from "@fw/fw/testing";
import { type Account, Accounts } from "./accounts.ts";
import { Database } from "./database.ts";
import { sessions } from "./sessions.ts";

/** Options of a test account. */
export interface TestAccount {
  /** @default "ada@example.org" */
  readonly email?: string;
  /** @default the account's role, none for a new account */
  readonly role?: string;
}

/** Finds or adds an account in the database of a test. No password is valid for it. */
export async function addAccount(app: App, options: TestAccount = {}): Promise<Account> {
  const { email = "ada@example.org", role = null } = options;
  await use(app, Database).run`
    insert into users (email, password, role)
    values (${email.toLowerCase()}, '', coalesce(${role}, ''))
    on conflict (email) where provider = '' do update set role = coalesce(${role}, users.role)`;
  const id = await use(app, Database).one(int())`
    select id from users where email = ${email.toLowerCase()} and provider = ''`;
  const account = await use(app, Accounts).find(String(id));
  if (account === undefined) throw new Error(`Cannot add the account "${email}".`);
  return account;
}

/**
 * Signs a test client in to an account, which is added if needed: `newTestClient(app, await
 * withAccount(app))`.
 */
export async function withAccount(app: App, options: TestAccount = {}): Promise<TestOption> {
  const { id, email, roles } = await addAccount(app, options);
  return withUser(sessions, { subject: id, email, roles });
}
