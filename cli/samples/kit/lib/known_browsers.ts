import { type Ctx, use } from "@fw/fw";
import { prefixedCookieName } from "@fw/fw/addon";
import { int } from "@fw/fw/data";
import { randomBytes } from "node:crypto";
import type { Account } from "./accounts.ts";
import { Database } from "./database.ts";
import { digest } from "./password_links.ts";

/** A browser that has signed in is known for a year; an account has at most ten. */
const knownMs = 365 * 86_400_000;
const maxKnown = 10;

function cookieName(c: Ctx): string {
  return prefixedCookieName(c, "known_browser");
}

/** Returns the token of the browser if it has signed in to the account of an address before. */
export async function knownBrowser(c: Ctx, email: string): Promise<string | undefined> {
  const token = c.cookie(cookieName(c));
  const isKnown = token !== undefined && await use(c, Database).first(int())`
    select 1 from known_browsers join users on users.id = user_id
      where token = ${digest(token)} and email = ${email.toLowerCase()}
        and provider = '' and expires_at > ${Date.now()}` !== undefined;
  return isKnown ? token : undefined;
}

/** Remembers a browser that signed in. */
export async function rememberBrowser(c: Ctx, { id }: Account): Promise<void> {
  const token = randomBytes(32).toString("base64url");
  const user = Number(id);
  const db = use(c, Database);
  await db.tx(async () => {
    await db.run`insert into known_browsers (token, user_id, expires_at)
      values (${digest(token)}, ${user}, ${Date.now() + knownMs})`;
    await db.run`
      delete from known_browsers where user_id = ${user} and token not in (
        select token from known_browsers where user_id = ${user}
          order by expires_at desc limit ${maxKnown})`;
  });
  c.setCookie({ name: cookieName(c), value: token, maxAgeSeconds: knownMs / 1_000 });
}
