import { type Application, type Ctx, key, use, variable } from "@fw/fw";
import { type Auth, createSessions, oidcFromEnv, type Passkeys, passkeys } from "@fw/fw/auth";
import { prefixedCookieName } from "@fw/fw/addon";
import { Organisers } from "./organisers.ts";

/** Who is signed in; the guards of the pages for organisers. */
export const sessions = createSessions({ store: (app) => use(app, Organisers).sessions });

/** Whether the session of a request is still there: an open stream outlives the guard that let it begin. */
export async function isSignedIn(c: Ctx): Promise<boolean> {
  return (await sessions.list(c)).some(({ isCurrent }) => isCurrent);
}

const knownMs = 180 * 86_400_000;

/** Remembers that an account signed in with this browser. */
export function rememberBrowser(c: Ctx, email: string): void {
  c.setSigned(prefixedCookieName(c, "known_browser"), email, knownMs);
}

/** Whether the account has signed in with this browser before: then strangers' guesses do not count. */
export function isKnownBrowser(c: Ctx, email: string): boolean {
  return c.signed(prefixedCookieName(c, "known_browser")) === email;
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
