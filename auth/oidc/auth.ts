import { type Ctx, type Handler, httpError } from "../../mod.ts";
import {
  allowFormActions,
  isLookahead,
  noteBootWarning,
  noteStoreState,
  perApplication,
  type StoredSession,
} from "../../runtime/addon.ts";
import { appPath } from "../next_path.ts";
import { findManager, managers, SessionManager } from "../session_manager.ts";
import { longestMs } from "../session_options.ts";
import { createUseRecord, hashId } from "../session_record.ts";
import { sessionMethods } from "../sessions.ts";
import { type Auth, type AuthOptions, authSettings } from "./auth_options.ts";
import {
  clients,
  outage,
  refuseSignIn,
  type RegisteredClient,
  tokenExpectations,
} from "./client.ts";
import { verifyLogoutToken } from "./id_token.ts";
import type { TokenRefusal } from "./jws.ts";
import { Provider } from "./provider.ts";
import { checkPlan, type ProviderPlan } from "./provider_plan.ts";
import { finishSignIn, startSignIn } from "./sign_in.ts";
import { type Registration, TokenVault } from "./token_vault.ts";

export function createAuth(plan: ProviderPlan, options: AuthOptions): Auth {
  checkPlan(plan);
  const settings = authSettings(options, plan);
  const { issuer } = plan;
  noteStoreState("used states of sign-ins", "once");
  const directory = perApplication((app) => new Provider(app, plan, settings));
  const manager = managerFor(options);
  const client: Registration = { plan, settings, directory, manager };
  if (options.keepTokens === true) client.vault = new TokenVault(client);
  if (manager.providers.has(issuer)) {
    throw new TypeError(
      `Cannot register "${issuer}" twice with the same sessions: the accounts of both clients would be mixed; ` +
        "use separate sessions for the second client.",
    );
  }
  manager.providers.set(issuer, {
    hasAccounts: settings.account !== undefined,
    // A page that reads the user may contain the sign-out form, which redirects to the provider.
    prepare: (c) => allowFormActions(c, directory(c.app).origins),
    signOutUrl: (c, ended) => signOutUrl(c, client, ended),
  });
  if (manager.settings.store === undefined) {
    noteBootWarning(
      `sessions of ${issuer} are in cookies alone: a user with more roles or groups than fit into 4,096 bytes cannot sign in`,
      "give the provider { stored: true }, and call provideStores(app, …) in Setup",
    );
  }
  const { start: _, end: __, ...methods } = sessionMethods(manager, issuer);
  const auth: Auth = {
    start: withOutage((c) => refusePrefetch(c) ?? startSignIn(c, client)),
    callback: withOutage((c) =>
      c.method === "HEAD"
        ? c.noContent()
        : c.method === "POST"
        ? forwardForm(c)
        : refusePrefetch(c) ?? finishSignIn(c, client)
    ),
    get connect(): Handler {
      if (settings.account === undefined) {
        throw new TypeError(`Cannot connect users of "${issuer}": set account.`);
      }
      return withOutage(async (c) => {
        await manager.guards.require(c);
        return await startSignIn(c, client, (await manager.find(c))?.id);
      });
    },
    logout: (c) => signOut(c, client),
    get backchannelLogout(): Handler {
      manager.needStore("end sessions for a provider");
      return withOutage((c) => takeLogoutToken(c, client));
    },
    ...manager.guards,
    ...methods,
    accessToken: async (c) => {
      const { vault } = client;
      if (vault === undefined) {
        throw new TypeError("Cannot read an access token: tokens are not kept; set keepTokens.");
      }
      const session = await manager.find(c);
      return session && await vault.accessToken(c, session).catch((error) => outage(c, error));
    },
  };
  managers.set(auth, manager);
  clients.set(auth, client);
  return auth;
}

function managerFor(options: AuthOptions): SessionManager {
  if (options.sessions === undefined) return new SessionManager(options);
  const manager = findManager(options.sessions);
  const names = new Set(["store", ...Object.keys(manager.settings)]);
  const [extra] = Object.entries(options)
    .find(([name, value]) => value !== undefined && name !== "now" && names.has(name)) ?? [];
  if (extra === undefined) return manager;
  throw new TypeError(
    `Cannot sign in with ${extra} and sessions: pass ${extra} to createSessions instead.`,
  );
}

/** Refuses a prefetch; browsers send the request again when the page is shown. */
function refusePrefetch(c: Ctx): Response | undefined {
  if (c.method === "HEAD" || !isLookahead(c)) return undefined;
  // Not a page: the kit's script would show it after a click.
  return c.text(425, "A sign-in cannot be prefetched.");
}

/** Maximum length of a redirect with the provider's response: the code has up to 8,192 characters. */
const maxForwardedChars = 8_700;

/**
 * Turns a response by form (OAuth 2.0 Form Post Response Mode) into a redirect to the same path. Browsers
 * send no cookie of the attempt with a form of another site, but they send it with the redirect.
 */
async function forwardForm(c: Ctx): Promise<Response> {
  const form = await c.formData();
  const query = new URLSearchParams(
    ["state", "code", "error", "iss"].flatMap((name) =>
      form.getAll(name).map((value) => [name, String(value)])
    ),
  ).toString();
  if (query.length > maxForwardedChars) throw refuseSignIn(c, "code");
  return c.redirect(`${c.url.pathname}?${query}`, 303);
}

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

async function signOut(c: Ctx, own: Registration): Promise<Response> {
  c.cacheControl("no-store");
  // A cross-site request lacks the session cookie, but the response would still clear it.
  if (c.request.headers.get("sec-fetch-site") === "cross-site") {
    refuseSignIn(c, "logout-csrf");
    throw httpError(403, "The logout request came from another site.", { code: "logout_refused" });
  }
  const { manager, plan, settings } = own;
  const ended = await manager.end(c);
  const by = manager.providers.get(ended?.provider ?? plan.issuer);
  // A password session has no provider to sign out at.
  return c.redirect(await by?.signOutUrl(c, ended) ?? appPath(c, settings.afterLogout));
}

/** Maximum length of an ID token in a URL; without it, the provider may ask which account to sign out. */
const maxHintChars = 3_000;

/** Returns the redirect after a logout: the provider (OpenID Connect RP-Initiated Logout 1.0) or `afterLogout`. */
async function signOutUrl(
  c: Ctx,
  client: Registration,
  ended: StoredSession | undefined,
): Promise<string> {
  const { plan, settings } = client;
  const directory = client.directory(c.app);
  // Omit the language, because providers redirect only to exactly registered URLs.
  const returnTo = new URL(c.base + settings.afterLogout, plan.redirectUrl).href;
  const own = plan.logoutUrl?.(returnTo);
  if (own !== undefined) return own;
  // A provider that is down must not prevent signing out here.
  const metadata = plan.logoutUrl === undefined
    ? await directory.metadata().catch(() => undefined)
    : undefined;
  if (metadata?.endSessionEndpoint === undefined) {
    c.log.info("the session ended only in this application: the provider has no sign-out URL", {
      issuer: plan.issuer,
    });
    return appPath(c, settings.afterLogout);
  }
  const url = new URL(metadata.endSessionEndpoint);
  url.searchParams.set("client_id", plan.clientId);
  url.searchParams.set("post_logout_redirect_uri", returnTo);
  const hint = ended && client.vault?.idToken(c.app, ended);
  // A token with many groups would exceed what providers accept as a URL, and proxies as a response's head.
  if (hint !== undefined && hint.length <= maxHintChars) {
    url.searchParams.set("id_token_hint", hint);
  }
  return url.href;
}

/** Time for which a logout token is remembered after it expires, in milliseconds; exceeds the allowed clock skew. */
const graceMs = 120_000;

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.5). A
 * token works once across all replicas, so that a replay cannot end sessions started later.
 */
async function takeLogoutToken(c: Ctx, client: RegisteredClient): Promise<Response> {
  const { plan: { issuer: provider }, manager } = client;
  const store = manager.requireStore(c, "end sessions for a provider");
  const checked = await verifyLogoutToken(
    await c.form("logout_token"),
    tokenExpectations(c, client, "post"),
  );
  if (!checked.ok) return refuseLogout(c, checked.reason);
  const { sid, sub = "", jti, exp } = checked.value;
  const id = `logout.${hashId(JSON.stringify([provider, jti]))}`;
  const usedAtMs = client.settings.now();
  const endsAtMs = Math.min(exp * 1_000 + graceMs, usedAtMs + longestMs);
  const record = createUseRecord(id, provider, { usedAtMs, endsAtMs });
  if (!await store.create(record)) return refuseLogout(c, "token-jti");
  try {
    if (sid === undefined) await store.deleteBySubject({ provider, subject: sub });
    else await store.deleteBySid(provider, sid);
  } catch (error) {
    // Forget the token, so that the provider can send it again.
    await store.delete(id);
    throw error;
  }
  return new Response(null, { status: 200 });
}

function refuseLogout(c: Ctx, reason: TokenRefusal): Response {
  refuseSignIn(c, "logout-token", { detail: reason });
  // Forged tokens may have used up the key fetches, so let the provider retry a genuine one.
  if (reason === "token-key-late") c.header("retry-after", "60");
  return c.json(reason === "token-key-late" ? 503 : 400, {
    error: "invalid_request",
    error_description: reason,
  });
}
