import { use } from "@fw/fw";
import { passkeys } from "@fw/fw/auth";
import { Accounts } from "./accounts.ts";

// This module is loaded before the application exists, so it reads the environment.
const origin = Deno.env.get("FW_ORIGIN") || `http://localhost:${Deno.env.get("PORT") || "3000"}`;

/** The passkeys of the site. They are bound to its domain, so a new domain needs new passkeys. */
export const keys = passkeys({
  rpId: Deno.env.get("FW_PASSKEY_DOMAIN") ?? URL.parse(origin)?.hostname ?? "",
  origins: [origin],
  store: (app) => use(app, Accounts).passkeys,
});
