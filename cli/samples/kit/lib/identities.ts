import { type Ctx, use } from "@fw/fw";
import type { SessionOwner, SignIn } from "@fw/fw/auth";
import { int } from "@fw/fw/data";
import { Database } from "./database.ts";

/**
 * Reports whether a user of the identity provider is new, and an account with a password has the
 * address. The sign-in would add a second, empty account.
 */
export async function isUnconnected(
  c: Ctx,
  { provider, subject, email = "" }: SessionOwner & Pick<SignIn, "email">,
): Promise<boolean> {
  return await use(c, Database).first(int())`
    select id from users where email = ${email.toLowerCase()} and provider = ''
      and not exists (
        select 1 from users where provider = ${provider} and subject = ${subject} and provider <> '')
      and not exists (
        select 1 from user_identities where provider = ${provider} and subject = ${subject})
    ` !== undefined;
}

/**
 * Connects an account to a user of the identity provider.
 *
 * @returns `false` if this user has an account, or the account is connected to another one or has no
 * password.
 */
export async function connectIdentity(c: Ctx, id: string, user: SessionOwner): Promise<boolean> {
  const { provider, subject } = user;
  const db = use(c, Database);
  await db.run`
    insert into user_identities (user_id, provider, subject)
    select id, ${provider}, ${subject} from users
    where id = ${Number(id)} and provider = '' and not exists (
      select 1 from users where provider = ${provider} and subject = ${subject} and provider <> '')
    on conflict do nothing`;
  return await db.first(int())`
    select user_id from user_identities where user_id = ${Number(id)}
      and provider = ${provider} and subject = ${subject}` !== undefined;
}

/** Reports whether an account with a password is connected to a user of the identity provider. */
export async function hasIdentity(c: Ctx, id: string): Promise<boolean> {
  return await use(c, Database).first(int())`
    select user_id from user_identities where user_id = ${Number(id)}` !== undefined;
}

/** Disconnects an account, which keeps its password; returns whether it was connected. */
export async function disconnectIdentity(c: Ctx, id: string): Promise<boolean> {
  return await use(c, Database).first(int())`
    delete from user_identities where user_id = ${Number(id)} returning user_id` !== undefined;
}
