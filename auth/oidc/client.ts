import { type Application, type Ctx, type HttpError, httpError, Problem } from "../../mod.ts";
import { isJsonObject, randomToken } from "../../runtime/addon.ts";
import type { SessionManager } from "../session_manager.ts";
import type { AuthSettings, ClientAuth } from "./auth_options.ts";
import { type Provider, ProviderError } from "./provider.ts";
import type { ProviderPlan } from "./provider_plan.ts";
import type { TokenExpectations } from "./id_token.ts";
import { type Checked, refuseToken, signJws, type TokenRefusal } from "./jws.ts";

export interface RegisteredClient {
  readonly plan: ProviderPlan;
  readonly settings: AuthSettings;
  readonly directory: (app: Application) => Provider;
  readonly manager: SessionManager;
}

/** Registered clients by the `Auth` object of their provider, for the test provider. */
export const clients: WeakMap<object, RegisteredClient> = new WeakMap();

/** Returns the name of a registration, so that an attempt cannot start at one provider and end at another. */
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
    keys: directory(c.app).keysFor(source),
    isIssuer: plan.isIssuer,
    clientId: plan.clientId,
    nowMs: settings.now(),
  };
}

export interface TokenResponse {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  readonly idToken: unknown;
  /** When the access token expires, in milliseconds since 1970; `undefined` if the provider does not state it. */
  readonly expiresAtMs: number | undefined;
}

const assumedSeconds = 600;

const noBearer = "no bearer token";

/** Errors that the operator must fix; the second line is GitHub's. */
const applicationFaults: ReadonlySet<unknown> = new Set([
  ...["invalid_client", "unauthorized_client"],
  ...["incorrect_client_credentials", "redirect_uri_mismatch", "Not Found"],
]);

/** The errors of a refresh token that no longer works; the second is GitHub's. */
export const refreshFaults: ReadonlySet<string> = new Set([
  ...["invalid_grant", "bad_refresh_token", noBearer],
]);

/** Sends a token request. @throws {ProviderError} if the endpoint is down or rejects the application. */
export async function requestTokenResponse(
  c: Ctx,
  client: RegisteredClient,
  form: Record<string, string>,
): Promise<Checked<TokenResponse, string>> {
  const directory = client.directory(c.app);
  const { tokenEndpoint, tokenAuthMethods } = await directory.metadata();
  const body = new URLSearchParams(form);
  const headers = await authenticateClient(body, client, tokenAuthMethods);
  const { status, body: sent } = await directory.ask(tokenEndpoint, {
    method: "POST",
    headers: { ...headers, accept: "application/json" },
    body,
  });
  const answer = isJsonObject(sent) ? sent : undefined;
  const { error, access_token: accessToken, refresh_token: refreshToken } = answer ?? {};
  // A rate limit or a proxy's error says nothing about the code.
  const isFault = status !== 200 && (status >= 408 || typeof error !== "string");
  if (answer === undefined || isFault) {
    throw new ProviderError(`${tokenEndpoint} returned status ${status} without tokens`);
  }
  if (applicationFaults.has(error)) {
    throw new ProviderError(
      `${tokenEndpoint} rejected the application (${error}): check clientId, clientSecret and clientAuth`,
    );
  }
  // GitHub reports errors with status 200.
  if (typeof error === "string") return refuseToken(describe(error));
  const { token_type: type, expires_in: seconds, id_token: idToken } = answer;
  // A token of another type is bound to a key that the application does not have.
  if (typeof accessToken !== "string" || typeof type !== "string" || !/^bearer$/i.test(type)) {
    return refuseToken(noBearer);
  }
  // `expires_in` is optional (RFC 6749, section 5.1): assume a short lifetime if a refresh token can renew it.
  const assumed = typeof refreshToken === "string" ? assumedSeconds : NaN;
  const stated = typeof seconds === "object" ? NaN : parseFloat(String(seconds));
  // A lifetime of 0 seconds means expired and must not be treated as unlimited.
  const lifetime = Math.max(0, Number.isFinite(stated) ? stated : assumed);
  return {
    ok: true,
    value: {
      accessToken,
      refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
      // Some providers send `null` for an absent member.
      idToken: idToken ?? undefined,
      expiresAtMs: Number.isNaN(lifetime) ? undefined : client.settings.now() + lifetime * 1_000,
    },
  };
}

/** Returns the provider's error code, shortened for the log. */
export function describe(error: unknown): string {
  return typeof error === "string" ? error.slice(0, 200) : "no error code";
}

const assertionSeconds = 60;

/** Chooses the method if the application names none; the default of RFC 6749 is `basic`. */
function chooseMethod(
  clientSecret: string,
  supported: readonly unknown[] = ["client_secret_basic"],
): ClientAuth {
  if (clientSecret === "") return "none";
  const isPost = supported.includes("client_secret_post") &&
    !supported.includes("client_secret_basic");
  return isPost ? "post" : "basic";
}

/** Authenticates a token request: adds the credentials to the form or returns them as headers. */
async function authenticateClient(
  form: URLSearchParams,
  client: RegisteredClient,
  supported: readonly unknown[] | undefined,
): Promise<Record<string, string>> {
  const { plan: { clientId, clientSecret = "", issuer }, settings } = client;
  const { clientAuth = chooseMethod(clientSecret, supported) } = settings;
  if (clientAuth === "basic" || clientAuth === "client_secret_basic") {
    // RFC 6749, section 2.3.1: ID and secret are form-encoded before they are joined.
    const encode = (text: string): string => new URLSearchParams({ v: text }).toString().slice(2);
    return { authorization: `Basic ${btoa(`${encode(clientId)}:${encode(clientSecret)}`)}` };
  }
  form.set("client_id", clientId);
  if (clientAuth === "post" || clientAuth === "client_secret_post") {
    form.set("client_secret", clientSecret);
  }
  if (typeof clientAuth === "object") {
    const seconds = Math.floor(settings.now() / 1_000);
    form.set("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.set(
      "client_assertion",
      await signJws({ typ: "JWT", kid: clientAuth.keyId }, {
        iss: clientId,
        sub: clientId,
        // Only the issuer: an assertion for an endpoint could be replayed at another provider.
        aud: issuer,
        jti: randomToken(16),
        iat: seconds,
        exp: seconds + assertionSeconds,
      }, clientAuth.privateKey),
    );
  }
  return {};
}

export function refuseSignIn(
  c: Ctx,
  reason:
    | ("state" | "provider" | "parameter-repeated" | "iss-parameter" | "provider-error" | "code")
    | ("exchange" | "token-response" | "userinfo" | "session" | "account")
    | ("logout-token" | "logout-csrf")
    | TokenRefusal,
  options: { readonly status?: number; readonly code?: string; readonly detail?: unknown } = {},
): HttpError {
  const { status = 400, code = "sign_in_refused", detail } = options;
  c.app.security.report(c, "auth", { reason });
  if (detail !== undefined) c.log.warn("a sign-in was refused", { reason, detail });
  return httpError(status, "The sign-in was not completed. Start it again.", { code });
}

/** Reports a provider that is down. @throws {Problem} 503 for that; any other error as it is. */
export function outage(c: Ctx, error: unknown): never {
  if (!(error instanceof ProviderError)) throw error;
  c.app.security.report(c, "auth", { reason: "provider-down" });
  c.log.error("the identity provider cannot be used", { error });
  c.header("retry-after", "30");
  throw new Problem({
    status: 503,
    title: "Sign-in is unavailable",
    detail: "The sign-in service is not responding. Try again in a minute.",
    cause: error,
  });
}
