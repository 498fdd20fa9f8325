import { httpError, use } from "@fw/fw";
import { keycloak } from "@fw/fw/auth";
import { confirmChange } from "./account_mail.ts";
import { accountMessages } from "./account_messages.ts";
import { Accounts } from "./accounts.ts";
import { connectIdentity, hasIdentity, isUnconnected } from "./identities.ts";
import { afterLogin, sessions } from "./sessions.ts";

/** The provider's missing variables: with any, `lib/variables.ts` stops a start in production. */
export const missing: string[] = [];

/** Reads a variable. Development and tests use the example if it is not set. */
function read(name: string, example: string): string {
  const value = Deno.env.get(name) ?? "";
  if (value === "") missing.push(name);
  return value || example;
}

const client = {
  clientId: read("FW_OIDC_CLIENT_ID", "app"),
  // each member
  url: read("FW_KEYCLOAK_URL", "https://sso.example"),
  realm: read("FW_KEYCLOAK_REALM", "main"),
  // end
  // if oidc
  clientSecret: Deno.env.get("FW_OIDC_CLIENT_SECRET"),
  // end
  redirectUrl: read("FW_OIDC_REDIRECT_URL", "http://localhost:3000/auth/callback"),
};

/**
 * The sign-in of the provider's users. Each has an account, whose id is `user.id`; its role is
 * added to the roles that the provider sends.
 */
export const auth = keycloak(client, {
  sessions,
  afterLogin,
  account: async (c, user) => {
    const accounts = use(c, Accounts);
    // if passwords
    const { connectTo } = user;
    if (connectTo !== undefined) {
      if (!await connectIdentity(c, connectTo.id, user)) {
        throw httpError(409, c.t(accountMessages, "providerTaken"), { code: "provider_taken" });
      }
      confirmChange(c, connectTo.email, "providerAdded");
    } else if (await isUnconnected(c, user)) {
      // The address alone never gives access, so the owner connects the account.
      throw httpError(409, c.t(accountMessages, "connectFirst"), { code: "provider_unconnected" });
    }
    // end
    const account = await accounts.findOrAdd(user);
    // if passwords
    if (account.hasPassword) {
      const { id, roles, email, name } = account;
      // A disconnection also refuses a sign-in that has begun.
      const isCurrent = async (): Promise<boolean> =>
        await accounts.isCurrent(account) && await hasIdentity(c, id);
      return { id, roles, own: { email, name: name || undefined }, isCurrent };
    }
    // end
    return { ...account, isCurrent: () => accounts.isCurrent(account) };
  },
});
