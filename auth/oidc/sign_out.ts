import type { Ctx } from "../../mod.ts";
import type { StoredSession } from "../../runtime/addon.ts";
import { appPath } from "../next_path.ts";
import { longestMs } from "../session_options.ts";
import { hashId } from "../session_record.ts";
import { verifyLogoutToken } from "./id_token.ts";
import type { TokenRefusal } from "./jws.ts";
import { type RegisteredClient, tokenExpectations } from "./client.ts";
import { refuseSignIn } from "./refusal.ts";
import type { Registration } from "./token_vault.ts";

/**
 * Returns where to send a browser whose session has ended: to the provider, so that it ends its own
 * (OpenID Connect RP-Initiated Logout 1.0), or home.
 */
export async function signOutUrl(
  c: Ctx,
  client: Registration,
  ended: StoredSession | undefined,
): Promise<string> {
  const { plan, settings } = client;
  const directory = client.directory.of(c.app);
  // Without a language: providers return only to the exact URLs that are registered with them.
  const returnTo = new URL(c.base + settings.afterLogout, plan.redirectUrl).href;
  const own = plan.logoutUrl?.(returnTo);
  if (own !== undefined) return own;
  // A provider that is down must not prevent signing out here.
  const metadata = plan.logoutUrl === undefined
    ? await directory.metadata().catch(() => undefined)
    : undefined;
  if (metadata?.endSessionEndpoint === undefined) {
    c.log.info("the session ended here alone: the provider has no address to sign out at", {
      issuer: plan.issuer,
    });
    return appPath(c, settings.afterLogout);
  }
  const url = new URL(metadata.endSessionEndpoint);
  url.searchParams.set("client_id", plan.clientId);
  url.searchParams.set("post_logout_redirect_uri", returnTo);
  const hint = ended && await client.vault?.idToken(c.app, ended);
  if (hint !== undefined) url.searchParams.set("id_token_hint", hint);
  return url.href;
}

/** Time for which a logout token is remembered after its end, in milliseconds: longer than clocks may differ. */
const graceMs = 120_000;

/**
 * Ends the sessions that a logout token names (OpenID Connect Back-Channel Logout 1.0, section 2.5). A
 * token counts once, for all replicas: sent again it must not end the sessions that were started since.
 */
export async function takeLogoutToken(c: Ctx, client: RegisteredClient): Promise<Response> {
  const { plan: { issuer: provider }, manager } = client;
  const store = manager.requireStore(c, "end sessions for a provider");
  const checked = await verifyLogoutToken(
    await c.form("logout_token"),
    tokenExpectations(c, client, "post"),
  );
  if (!checked.ok) return refuseLogout(c, checked.reason);
  const { sid, sub = "", jti, exp } = checked.value;
  // Longer than the hash of an identifier: no cookie finds this record.
  const id = `logout.${hashId(JSON.stringify([provider, jti]))}`;
  const usedAtMs = client.settings.now();
  const endsAtMs = Math.min(exp * 1_000 + graceMs, usedAtMs + longestMs);
  const times = { issuedAtMs: usedAtMs, usedAtMs, expiresAtMs: endsAtMs, endsAtMs };
  const note = { id, provider, subject: "", roles: [], device: "", ...times };
  if (!await store.create(note)) return refuseLogout(c, "token-jti");
  try {
    if (sid === undefined) await store.deleteBySubject({ provider, subject: sub });
    else await store.deleteBySid(provider, sid);
  } catch (error) {
    // The token may come again.
    await store.delete(id);
    throw error;
  }
  return new Response(null, { status: 200 });
}

function refuseLogout(c: Ctx, reason: TokenRefusal): Response {
  refuseSignIn(c, "logout-token", { detail: reason });
  // Forged tokens may have used up the fetches of keys: a genuine one comes again.
  if (reason === "token-key-late") c.header("retry-after", "60");
  return c.json(reason === "token-key-late" ? 503 : 400, {
    error: "invalid_request",
    error_description: reason,
  });
}
