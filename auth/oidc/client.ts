import type { Ctx } from "../../mod.ts";
import { Insides } from "../exposed.ts";
import type { PerApplication } from "../per_application.ts";
import type { SessionManager } from "../session_manager.ts";
import type { AuthSettings } from "./auth_options.ts";
import type { Provider } from "./provider.ts";
import type { ProviderPlan } from "./provider_plan.ts";
import { authenticateClient } from "./client_auth.ts";
import type { TokenExpectations } from "./id_token.ts";
import { type Checked, refuseToken } from "./jws.ts";
import { ProviderError } from "./provider_fetch.ts";

export interface RegisteredClient {
  readonly plan: ProviderPlan;
  readonly settings: AuthSettings;
  readonly directory: PerApplication<Provider>;
  readonly manager: SessionManager;
}

/** The registrations behind what providers returned, for the test provider. */
export const clients: Insides<RegisteredClient> = new Insides(
  'Cannot find "auth": use the result of oidc or another provider.',
);

/** Names a registration, so that an attempt at one provider cannot end at another. */
export function clientName({ plan }: RegisteredClient): string {
  return `${plan.clientId} ${plan.issuer}`;
}

export function tokenExpectations(
  c: Ctx,
  client: RegisteredClient,
  source: "exchange" | "post" = "exchange",
): TokenExpectations {
  const { plan, settings, directory } = client;
  return {
    keys: directory.of(c.app).keysFor(source),
    isIssuer: plan.isIssuer,
    clientId: plan.clientId,
    nowMs: settings.now(),
  };
}

export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: unknown;
  /** When the access token expires, in milliseconds; `undefined` where the provider does not say. */
  readonly expiresAtMs: number | undefined;
}

const assumedSeconds = 600;

/** The reason where the response holds no token that the application can use. */
export const noBearer = "no bearer token";

/**
 * Asks the token endpoint.
 *
 * @throws {ProviderError} where the provider is down, or does not know the application.
 */
export async function requestTokenResponse(
  c: Ctx,
  client: RegisteredClient,
  form: Record<string, string>,
): Promise<Checked<TokenResponse, string>> {
  const directory = client.directory.of(c.app);
  const { tokenEndpoint, tokenAuthMethods } = await directory.metadata();
  const body = new URLSearchParams(form);
  const headers = await authenticateClient(body, client, tokenAuthMethods);
  const { status, body: answer } = await directory.ask(tokenEndpoint, {
    method: "POST",
    headers: { ...headers, accept: "application/json" },
    body,
  });
  const { error, access_token: accessToken, refresh_token: refreshToken } = answer ?? {};
  // A rate limit, or the answer of something in between, says nothing about the code.
  const isFault = status !== 200 && (status >= 408 || typeof error !== "string");
  if (answer === undefined || isFault) {
    throw new ProviderError(`${tokenEndpoint} answers with status ${status} and no tokens`);
  }
  if (error === "invalid_client" || error === "unauthorized_client") {
    throw new ProviderError(
      `${tokenEndpoint} refuses the application (${error}): check clientId, clientSecret and clientAuth`,
    );
  }
  if (status !== 200) return refuseToken(describe(error));
  const { token_type: type, expires_in: seconds, id_token: idToken } = answer;
  // A token of another type is bound to a key that the application does not have.
  if (typeof accessToken !== "string" || !/^bearer$/i.test(String(type))) {
    return refuseToken(noBearer);
  }
  // RFC 6749, section 5.1, lets a provider leave it out; with a refresh token the access token is renewed soon.
  const assumed = typeof refreshToken === "string" ? assumedSeconds : NaN;
  const stated = parseFloat(String(seconds));
  // A token of 0 seconds has expired: it must not count as one without an end.
  const lifetime = Math.max(0, Number.isFinite(stated) ? stated : assumed);
  return {
    ok: true,
    value: {
      accessToken,
      refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
      // Some providers write what they do not send as `null`.
      idToken: idToken ?? undefined,
      expiresAtMs: Number.isNaN(lifetime) ? undefined : client.settings.now() + lifetime * 1_000,
    },
  };
}

/** Returns the provider's name for an error, shortened for the log. */
export function describe(error: unknown): string {
  return typeof error === "string" ? error.slice(0, 200) : "no error code";
}
