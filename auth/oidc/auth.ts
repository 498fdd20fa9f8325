import { type Ctx, type Handler, httpError } from "../../mod.ts";
import { allowFormActions, noteBootWarning, noteStoreState } from "../../runtime/addon.ts";
import { managers } from "../exposed.ts";
import { appPath } from "../next_path.ts";
import { PerApplication } from "../per_application.ts";
import { SessionManager } from "../session_manager.ts";
import { sessionMethods } from "../sessions.ts";
import { type Auth, type AuthOptions, authSettings } from "./auth_options.ts";
import { Provider } from "./provider.ts";
import { clients } from "./client.ts";
import { ProviderError } from "./provider_fetch.ts";
import { checkPlan, type ProviderPlan } from "./provider_plan.ts";
import { refuseOutage, refuseSignIn } from "./refusal.ts";
import { finishSignIn, startSignIn } from "./sign_in.ts";
import { signOutUrl, takeLogoutToken } from "./sign_out.ts";
import { type Registration, TokenVault } from "./token_vault.ts";

/** The registrations that share sessions, by issuer: each knows how its users sign out. */
const registrations: WeakMap<SessionManager, Map<string, Registration>> = new WeakMap();

/** Makes the handlers and guards of a provider. @throws {TypeError} for settings that cannot work. */
export function createAuth(plan: ProviderPlan, options: AuthOptions): Auth {
  checkPlan(plan);
  const settings = authSettings(options, plan);
  const { issuer } = plan;
  noteStoreState("used states of sign-ins", "once");
  const directory = new PerApplication((app) => new Provider(app, plan, settings));
  const manager = managerFor(options);
  const core = { plan, settings, directory, manager };
  const vault = options.keepTokens === true ? new TokenVault(core) : undefined;
  const client: Registration = { ...core, vault };
  const shared = registrations.get(manager) ?? new Map<string, Registration>();
  if (shared.has(issuer)) {
    throw new TypeError(
      `Cannot register "${issuer}" twice with the same sessions: their users would be one another's; ` +
        "give the second client sessions of its own.",
    );
  }
  registrations.set(manager, shared.set(issuer, client));
  if (!manager.stores.areKept) {
    noteBootWarning(
      `sessions of ${issuer} are in cookies alone: a user with more roles or groups than 4,096 bytes hold cannot sign in`,
      "give the provider { stored: true }, and call provideStores(app, …) in Setup",
    );
  }
  // A page that asks who is signed in may show the form that signs out.
  manager.prepare = (c) => {
    for (const { directory } of shared.values()) {
      allowFormActions(c, directory.of(c.app).origins);
    }
  };
  const { user, list, endOne, endOthers, endAll } = sessionMethods(manager, issuer);
  const auth: Auth = {
    start: withOutage((c) => startSignIn(c, client)),
    callback: withOutage((c) => finishSignIn(c, client)),
    logout: (c) => signOut(c, client),
    get backchannelLogout(): Handler {
      manager.stores.need("end sessions for a provider");
      return withOutage((c) => takeLogoutToken(c, client));
    },
    ...manager.guards,
    user,
    list,
    endOne,
    endOthers,
    endAll,
    accessToken: async (c) => {
      if (vault === undefined) {
        throw new TypeError("Cannot read an access token: tokens are not kept; set keepTokens.");
      }
      const session = await manager.find(c);
      return session && await vault.accessToken(c, session).catch((error) => outage(c, error));
    },
  };
  return clients.put(managers.put(auth, manager), client);
}

function managerFor(options: AuthOptions): SessionManager {
  if (options.sessions === undefined) return new SessionManager(options);
  const manager = managers.of(options.sessions);
  const names = new Set(["store", ...Object.keys(manager.settings)]);
  const [extra] = Object.entries(options)
    .find(([name, value]) => value !== undefined && name !== "now" && names.has(name)) ?? [];
  if (extra === undefined) return manager;
  throw new TypeError(
    `Cannot sign in with ${extra} and sessions: give ${extra} to createSessions instead.`,
  );
}

/** Responds that the sign-in is unavailable because the provider is down. */
function withOutage(handler: Handler): Handler {
  return async (c) => {
    c.cacheControl("no-store");
    try {
      return await handler(c);
    } catch (error) {
      return outage(c, error);
    }
  };
}

function outage(c: Ctx, error: unknown): never {
  throw error instanceof ProviderError ? refuseOutage(c, error) : error;
}

async function signOut(c: Ctx, own: Registration): Promise<Response> {
  c.cacheControl("no-store");
  // The cookie of a session does not come along from another site; the response would still clear it.
  if (c.request.headers.get("sec-fetch-site") === "cross-site") {
    refuseSignIn(c, "logout-csrf");
    throw httpError(403, "Another site asked for the logout.", { code: "logout_refused" });
  }
  const { manager } = own;
  const ended = await manager.end(c);
  const by = ended === undefined ? own : registrations.get(manager)?.get(ended.provider);
  // A session of passwords ends here alone.
  if (by === undefined) return c.redirect(appPath(c, own.settings.afterLogout));
  return c.redirect(await signOutUrl(c, by, ended));
}
