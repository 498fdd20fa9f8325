import { type Application, type Ctx, key, use, variable } from "@fw/fw";
import { type Auth, createSessions, oidcFromEnv, type Passkeys, passkeys } from "@fw/fw/auth";
import { prefixedCookieName } from "@fw/fw/addon";
import { Organisers } from "./organisers.ts";

/** The sessions of signed-in organisers, and the guards of their pages. */
export const sessions = createSessions({ store: (app) => use(app, Organisers).sessions });

/** Returns whether the session of a request still exists: an open stream outlives its guard's check. */
export async function isSignedIn(c: Ctx): Promise<boolean> {
  return (await sessions.list(c)).some(({ isCurrent }) => isCurrent);
}

const knownMs = 180 * 86_400_000;

/** Records that an account has signed in with this browser. */
export function rememberBrowser(c: Ctx, email: string): void {
  c.setSigned(prefixedCookieName(c, "known_browser"), email, knownMs);
}

/** Returns whether an account has signed in with this browser, which then has its own limit. */
export function isKnownBrowser(c: Ctx, email: string): boolean {
  return c.signed(prefixedCookieName(c, "known_browser")) === email;
}

/** The sign-in at an identity provider, provided by `setup.ts`: `use(c, Provider)`. */
export const Provider = key<Auth | undefined>("provider");

// Sessions accept a provider's client once, however many applications a process creates. They refuse
// another client of the same provider, because its users would be confused with the first one's.
const providers = new Map<string, Auth>();

/** Returns the sign-in at the provider of the variables (`FW_OIDC_ISSUER`, …), if set. */
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

/** The passkeys. They are bound to a domain: set EVENTS_ORIGIN before adding the first. */
export const organiserKeys: Passkeys = passkeys({
  rpId: hostname,
  rpName: "Miradouro",
  origins: [origin],
  store: (app) => use(app, Organisers).passkeys,
});
