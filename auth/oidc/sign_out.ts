import type { Ctx } from "../../mod.ts";
import type { LiveSession } from "../session_manager.ts";
import { checkLogoutToken } from "./id_token.ts";
import { type Party, tokenExpectations } from "./party.ts";
import { refuseSignIn } from "./refusal.ts";
import type { TokenVault } from "./token_vault.ts";

/**
 * Returns where to send a browser whose session has ended: to the provider, so that it ends its own
 * (OpenID Connect RP-Initiated Logout 1.0), or home.
 *
 * @param ended The session that ended.
 */
export async function signOutUrl(
  c: Ctx,
  party: Party,
  at: { readonly ended: LiveSession | undefined; readonly vault: TokenVault | undefined },
): Promise<string> {
  const { plan, settings, directory } = party;
  const home = c.base + settings.afterLogout;
  const returnTo = new URL(home, plan.redirectUrl).href;
  const own = plan.logoutUrl?.(returnTo);
  if (own !== undefined) return own;
  // A provider that is down must not prevent signing out here.
  const metadata = plan.logoutUrl === undefined
    ? directory.known ?? await directory.metadata(c.app).catch(() => undefined)
    : undefined;
  if (metadata?.endSessionEndpoint === undefined) {
    c.log.info("the session ended here alone: the provider has no address to sign out at", {
      issuer: plan.issuer,
    });
    return home;
  }
  const url = new URL(metadata.endSessionEndpoint);
  url.searchParams.set("client_id", plan.clientId);
  url.searchParams.set("post_logout_redirect_uri", returnTo);
  const hint = at.ended && await at.vault?.idToken(c.app, at.ended);
  if (hint !== undefined) url.searchParams.set("id_token_hint", hint);
  return url.href;
}

/** How many logout tokens are remembered, so that none counts twice. */
const maxTokens = 10_000;

/** How long after its end a logout token is remembered, in seconds: longer than clocks may differ. */
const graceSeconds = 120;

/** Ends the sessions that logout tokens of a provider name. */
export class BackchannelLogout {
  readonly #party: Party;
  /** When the tokens that were taken expire, in seconds, by their identifiers. */
  readonly #taken: Map<string, number> = new Map();

  /** @throws {TypeError} where the sessions have no store. */
  constructor(party: Party) {
    party.manager.needStore("end sessions for a provider");
    this.#party = party;
  }

  /** Takes a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.5). */
  async take(c: Ctx): Promise<Response> {
    const { plan, manager, settings } = this.#party;
    c.cacheControl("no-store");
    const token = await c.form("logout_token");
    const checked = await checkLogoutToken(token, tokenExpectations(c, this.#party));
    if (!checked.ok || this.#taken.has(checked.value.jti)) {
      const reason = checked.ok ? "token-jti" : checked.reason;
      refuseSignIn(c, "logout-token", { detail: reason });
      return c.json(400, { error: "invalid_request", error_description: reason });
    }
    const { sid, sub, jti, exp } = checked.value;
    if (sid !== undefined) await manager.endBySid(c, plan.issuer, sid);
    else if (sub !== undefined) {
      await manager.endAllOf(c, { provider: plan.issuer, subject: sub });
    }
    // Sent again it must not end the sessions that were started since. Where the store failed it may come
    // again: nothing has ended.
    for (const [id, expiry] of this.#taken) {
      if (expiry + graceSeconds > settings.now() / 1_000 && this.#taken.size < maxTokens) break;
      this.#taken.delete(id);
    }
    this.#taken.set(jti, exp);
    return new Response(null, { status: 200 });
  }
}
