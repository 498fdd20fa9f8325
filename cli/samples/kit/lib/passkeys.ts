import { use, variable } from "@fw/fw";
import { passkeys } from "@fw/fw/auth";
import { Accounts } from "./accounts.ts";
import { originOf } from "./origin.ts";

/** The passkeys of the site. They are bound to its domain, so a new domain needs new passkeys. */
export const keys = passkeys({
  rpId: (app) => variable(app, "FW_PASSKEY_DOMAIN") ?? new URL(originOf(app)).hostname,
  origins: (app) => [originOf(app)],
  store: (app) => use(app, Accounts).passkeys,
});
