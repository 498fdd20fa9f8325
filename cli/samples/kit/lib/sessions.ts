import { type Ctx, use } from "@fw/fw";
import { createAttempts, createSessions } from "@fw/fw/auth";
import { accountMessages } from "./account_messages.ts";
import { type Account, Accounts } from "./accounts.ts";
import { rememberBrowser } from "./known_browsers.ts";

const day = 86_400_000;

export const sessions = createSessions({
  store: (app) => use(app, Accounts).sessions,
  absoluteMs: 14 * day,
  idleMs: 3 * day,
});

/** The page after a sign-in that began on no other page. */
export const afterLogin = "/";

/** The time after a sign-in in which passkeys can be changed without a new sign-in. */
export const recentMs = 15 * 60_000;

/** Guards changes of credentials, which would outlive a stolen session. */
export const requireRecent = sessions.requireRecent(recentMs);
// if passwords

/** Limits sign-in attempts across all processes: ten at once, then one every ten seconds. */
export const attempts = createAttempts({ store: (app) => use(app, Accounts).attempts });

/**
 * Signs an account in and remembers the browser.
 *
 * @returns `false` if the password or role was changed meanwhile.
 */
export async function signIn(c: Ctx, account: Account): Promise<boolean> {
  const { id, email, name, roles } = account;
  await sessions.start(c, { subject: id, email, name: name || undefined, roles });
  // A new password or role ends existing sessions, and this session may have started just after.
  if (!await use(c, Accounts).isCurrent(account)) {
    await sessions.end(c);
    return false;
  }
  await rememberBrowser(c, account);
  return true;
}
// end

/** Translates the name of a device, such as `Firefox on Linux`. */
export function shownDevice(c: Ctx, device: string): string {
  const [browser = "", system] = device.split(" on ");
  if (browser === "") return c.t(accountMessages, "unknownDevice");
  return system === undefined ? browser : c.t(accountMessages, "deviceOn", { browser, system });
}
