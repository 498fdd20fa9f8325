import { use } from "@fw/fw";
import { type Auth, createSessions, oidcFromEnv, type Passkeys, passkeys } from "@fw/fw/auth";
import { Organisers } from "./organisers.ts";

/** Who is signed in; the guards of the pages for organisers. */
export const sessions = createSessions({ store: (app) => use(app, Organisers).sessions });

/** The sign-in at an identity provider, where the environment names one (`FW_OIDC_ISSUER`, …). */
export const provider: Auth | undefined = Deno.env.get("FW_OIDC_ISSUER")
  ? oidcFromEnv({ sessions, afterLogin: "/organize" })
  : undefined;

const { origin, hostname } = new URL(Deno.env.get("EVENTS_ORIGIN") ?? "http://localhost:3000");

/** The passkeys. They are bound to a domain for ever: set EVENTS_ORIGIN before the first is added. */
export const organiserKeys: Passkeys = passkeys({
  rpId: hostname,
  rpName: "Miradouro",
  origins: [origin],
  store: (app) => use(app, Organisers).passkeys,
});
