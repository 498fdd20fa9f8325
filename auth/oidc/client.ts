import { type Application, type Ctx, type HttpError, httpError, Problem } from "../../mod.ts";
import type { SessionManager } from "../session_manager.ts";
import type { AuthSettings, ClientAuth } from "./auth_options.ts";
import { type Provider, ProviderError } from "./provider.ts";
import type { ProviderPlan } from "./provider_plan.ts";
import type { TokenExpectations } from "./id_token.ts";
import { type Checked, refuseToken, signJws, type TokenRefusal } from "./jws.ts";
import { randomToken } from "../../runtime/addon.ts";

export interface RegisteredClient {
  readonly plan: ProviderPlan;
  readonly settings: AuthSettings;
  readonly directory: (app: Application) => Provider;
  readonly manager: SessionManager;
}

/** The registrations behind what providers returned, for the test provider. */
export const clients: WeakMap<object, RegisteredClient> = new WeakMap();

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
  /** When the access token expires, in milliseconds; `undefined` where the provider does not say. */
  readonly expiresAtMs: number | undefined;
}

const assumedSeconds = 600;

/** The reason where the response holds no token that the application can use. */
export const noBearer = "no bearer token";

/** Asks the token endpoint. @throws {ProviderError} where it is down or does not know the application. */
export async function requestTokenResponse(
  c: Ctx,
  client: RegisteredClient,
  form: Record<string, string>,
): Promise<Checked<TokenResponse, string>> {
  const directory = client.directory(c.app);
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
  if (typeof accessToken !== "string" || typeof type !== "string" || !/^bearer$/i.test(type)) {
    return refuseToken(noBearer);
  }
  // RFC 6749, section 5.1, lets a provider leave it out; with a refresh token the access token is renewed soon.
  const assumed = typeof refreshToken === "string" ? assumedSeconds : NaN;
  const stated = typeof seconds === "object" ? NaN : parseFloat(String(seconds));
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

const assertionSeconds = 60;

/** Chooses the method where the application names none: RFC 6749 has `basic` as the default. */
function chooseMethod(
  clientSecret: string,
  supported: readonly unknown[] = ["client_secret_basic"],
): ClientAuth {
  if (clientSecret === "") return "none";
  const isPost = supported.includes("client_secret_post") &&
    !supported.includes("client_secret_basic");
  return isPost ? "post" : "basic";
}

/** Adds what proves who the application is to a request to the token endpoint. */
async function authenticateClient(
  form: URLSearchParams,
  client: RegisteredClient,
  supported: readonly unknown[] | undefined,
): Promise<Record<string, string>> {
  const { plan: { clientId, clientSecret = "", issuer }, settings } = client;
  const { clientAuth = chooseMethod(clientSecret, supported) } = settings;
  if (clientAuth === "basic" || clientAuth === "client_secret_basic") {
    // RFC 6749, section 2.3.1: both are form-encoded before they are joined.
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
        // The issuer alone: an assertion for an endpoint could be taken to another provider.
        aud: issuer,
        jti: randomToken(16),
        iat: seconds,
        exp: seconds + assertionSeconds,
      }, clientAuth.privateKey),
    );
  }
  return {};
}

/** Why a sign-in is refused, in a word, as security events say it. */
export type SignInRefusal =
  | ("state" | "provider" | "parameter-repeated" | "iss-parameter" | "provider-error" | "code")
  | ("exchange" | "token-response" | "userinfo" | "logout-token" | "logout-csrf")
  | TokenRefusal;

export function refuseSignIn(
  c: Ctx,
  reason: SignInRefusal,
  options: { readonly status?: number; readonly message?: string; readonly detail?: unknown } = {},
): HttpError {
  const { status = 400, message = "The sign-in was not completed. Start it again.", detail } =
    options;
  c.app.security.report(c, "auth", { reason });
  if (detail !== undefined) c.log.warn("a sign-in was refused", { reason, detail });
  return httpError(status, message, { code: "sign_in_refused" });
}

/** Reports that the provider is down, and returns the error to throw. */
export function refuseOutage(c: Ctx, error: Error): Problem {
  c.app.security.report(c, "auth", { reason: "provider-down" });
  c.log.error("the identity provider cannot be used", { error });
  c.header("retry-after", "30");
  return new Problem({
    status: 503,
    title: "Sign-in is unavailable",
    detail: "The sign-in service does not answer at the moment. Try again in a minute.",
    cause: error,
  });
}
