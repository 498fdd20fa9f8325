import { type Application, type Ctx, key, use, variable } from "@fw/fw";
import { type Auth, createSessions, oidcFromEnv, type Passkeys, passkeys } from "@fw/fw/auth";
import { Organisers } from "./organisers.ts";

/** Who is signed in; the guards of the pages for organisers. */
export const sessions = createSessions({ store: (app) => use(app, Organisers).sessions });

/** Whether the session of a request is still there: an open stream outlives the guard that let it begin. */
export async function isSignedIn(c: Ctx): Promise<boolean> {
  return (await sessions.list(c)).some(({ isCurrent }) => isCurrent);
}

/** The sign-in at an identity provider, as `setup.ts` provides it: `use(c, Provider)`. */
export const Provider = key<Auth | undefined>("provider");

// The sessions know a client of a provider once, however many applications a process makes. They refuse
// another client of the same provider, whose users would be those of the first.
const providers = new Map<string, Auth>();

/** Returns the sign-in at the provider that the variables name (`FW_OIDC_ISSUER`, …), if they do. */
export function findProvider(app: Application): Auth | undefined {
  const issuer = variable(app, "FW_OIDC_ISSUER");
  if (issuer === undefined) return undefined;
  const client = [
    variable(app, "FW_OIDC_CLIENT_ID"),
    variable(app, "FW_OIDC_CLIENT_SECRET"),
    variable(app, "FW_OIDC_REDIRECT_URL"),
  ];
  const { variables } = app.config;
  return providers.getOrInsertComputed(
    JSON.stringify([issuer, ...client]),
    () => oidcFromEnv({ sessions, afterLogin: "/organize", variables }),
  );
}

const { origin, hostname } = new URL(Deno.env.get("EVENTS_ORIGIN") ?? "http://localhost:3000");

/** The passkeys. They are bound to a domain for ever: set EVENTS_ORIGIN before the first is added. */
export const organiserKeys: Passkeys = passkeys({
  rpId: hostname,
  rpName: "Miradouro",
  origins: [origin],
  store: (app) => use(app, Organisers).passkeys,
});
