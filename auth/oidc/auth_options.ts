import type { Application, Ctx, Handler } from "../../mod.ts";
import type { Guards } from "../guards.ts";
import { isAppPath, type SessionOptions } from "../session_options.ts";
import type { Sessions } from "../sessions.ts";
import { algorithmOfKey } from "./jws.ts";

/** Options of every provider. */
export interface AuthOptions extends SessionOptions {
  /**
   * Sessions to share with passwords or other providers; the options of sessions are then given to them.
   * @default own sessions
   */
  readonly sessions?: Sessions;
  /** More claims that hold roles, each a string or a list of texts. @default none */
  readonly roleClaims?: readonly string[];
  /** Scopes requested beside `openid`. @default ["profile", "email"] */
  readonly scopes?: readonly string[];
  /** Path after a sign-in without `next`, without the base path. @default "/" */
  readonly afterLogin?: string;
  /** Path after a logout, without the base path. @default "/" */
  readonly afterLogout?: string;
  /** More parameters of the authorization request, such as `prompt`, `ui_locales` or `audience`. @default none */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** How the application authenticates. @default as the provider's metadata says with a secret, else "none" */
  readonly clientAuth?: ClientAuth;
  /** Maximum age of the user's sign-in at the provider, in seconds. @default any time */
  readonly maxAgeSeconds?: number;
  /** Whether the claims of the provider's userinfo endpoint are read as well. @default false */
  readonly userInfo?: boolean;
  /** Whether unverified email addresses count: only where users cannot write their own. @default false */
  readonly isEmailTrusted?: boolean;
  /** Whether the tokens are kept, sealed, for `accessToken`; needs a store. @default false */
  readonly keepTokens?: boolean;
  /** Sends the requests to the provider. @default fetch */
  readonly fetch?: typeof fetch;
}

/** A sign-in at an identity provider: its routes, its guards and its sessions. */
export interface Auth extends Guards, Pick<Sessions, "user" | "list" | "endOne" | "endOthers"> {
  /**
   * Sends the browser to the provider: `export const GET = auth.start` in `app/login/route.ts`. The query
   * parameter `next` says where it goes afterwards.
   *
   * @returns {Response} 302 to the provider.
   * @throws {Problem} 503 where the provider is down.
   */
  readonly start: Handler;
  /**
   * Signs in who comes back from the provider: `export const GET` of the route of `redirectUrl`.
   *
   * @returns {Response} 303 to the page that the user wanted.
   * @throws {HttpError} 400 where anything does not fit, 403 where the provider refuses the user.
   * @throws {Problem} 503 where the provider is down.
   */
  readonly callback: Handler;
  /**
   * Signs out here and at the provider: `export const POST` of a route with `Kind = "page"`, whose CSRF
   * check keeps other sites from it.
   *
   * @returns {Response} 303 to the provider, or to the page of `afterLogout`.
   * @throws {HttpError} 403 where another site asks, 503 `session_store_failed`.
   */
  readonly logout: Handler;
  /**
   * Ends sessions when the provider says so (OpenID Connect Back-Channel Logout 1.0): `export const POST`
   * of a route that is not a page. Reading it throws a `TypeError` where the sessions have no store.
   */
  readonly backchannelLogout: Handler;
  /**
   * Returns the access token of the signed-in user, refreshed once however many requests and replicas ask;
   * `undefined` for an anonymous request, and where the provider no longer renews it.
   *
   * @throws {TypeError} without `keepTokens`.
   * @throws {Problem} 503 where the provider is down.
   */
  accessToken(c: Ctx): Promise<string | undefined>;
  /**
   * Ends every session of a subject of this provider; returns how many.
   *
   * @throws {TypeError} without a store.
   */
  endAll(at: Ctx | Application, subject: string): Promise<number>;
}

export interface AuthSettings extends Required<Pick<AuthOptions, Defaulted>> {
  readonly scope: string;
  /** `undefined`: what the metadata of the provider names. */
  readonly clientAuth: ClientAuth | undefined;
  readonly maxAgeSeconds: number | undefined;
}

type Defaulted =
  | ("roleClaims" | "afterLogin" | "afterLogout" | "userInfo" | "isEmailTrusted")
  | ("authorizationParameters" | "fetch" | "now");

const methods: ReadonlySet<unknown> = new Set<ClientAuth>([
  ...["basic", "client_secret_basic", "post", "client_secret_post", "none"] as const,
]);

/** The parameters that the flow itself sends: another value would remove its protection. */
const ownParameters: ReadonlySet<string> = new Set([
  ...["response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce"],
  ...["code_challenge", "code_challenge_method", "max_age", "request", "request_uri"],
]);

/** Fills in the defaults. @throws {TypeError} naming the option that is wrong, its value and the fix. */
export function authSettings(
  options: AuthOptions,
  client: { readonly clientId: string; readonly clientSecret?: string | undefined },
): AuthSettings {
  const { scopes = ["profile", "email"], maxAgeSeconds, clientAuth, roleClaims = [] } = options;
  const { afterLogin = "/", afterLogout = "/", authorizationParameters = {} } = options;
  const { userInfo = false, isEmailTrusted = false, fetch = globalThis.fetch } = options;
  const { now = Date.now } = options;
  const { clientSecret } = client;
  const fail = (name: string, value: unknown, fix: string): never => {
    throw new TypeError(`Cannot sign in with ${name} "${value}": ${fix}.`);
  };
  for (const [name, path] of Object.entries({ afterLogin, afterLogout })) {
    if (!isAppPath(path)) fail(name, path, "write a path of the application");
  }
  const own = Object.keys(authorizationParameters).find((name) => ownParameters.has(name));
  if (own !== undefined) fail("authorizationParameters", own, "leave it out; the flow sets it");
  if (maxAgeSeconds !== undefined && !(maxAgeSeconds >= 0 && Number.isSafeInteger(maxAgeSeconds))) {
    fail("maxAgeSeconds", maxAgeSeconds, "write whole seconds from 0 up");
  }
  if (clientAuth !== undefined && typeof clientAuth !== "object" && !methods.has(clientAuth)) {
    fail("clientAuth", clientAuth, `write one of ${[...methods].join(", ")}, or give a privateKey`);
  }
  const needsSecret = typeof clientAuth === "string" && clientAuth !== "none";
  if ((needsSecret || clientSecret === "") && !clientSecret) {
    fail("clientAuth", clientAuth, 'use a clientSecret, or write clientAuth: "none"');
  }
  if (typeof clientAuth === "object" && algorithmOfKey(clientAuth.privateKey) === undefined) {
    fail("clientAuth", "privateKey", "use a private key for RS256, RS384, RS512, ES256 or ES384");
  }
  const scope = [...new Set(["openid", ...scopes])].join(" ");
  const sent = { scope, authorizationParameters, maxAgeSeconds, clientAuth };
  const read = { roleClaims, userInfo, isEmailTrusted };
  return { ...sent, ...read, afterLogin, afterLogout, fetch, now };
}

/**
 * Authentication of the application at the provider (OpenID Connect Core, section 9): by its secret in a header
 * or in the form, not at all, or by a key that signs (RSASSA-PKCS1-v1_5, or ECDSA on P-256 or P-384).
 */
export type ClientAuth =
  | ("basic" | "client_secret_basic")
  | ("post" | "client_secret_post")
  | "none"
  | { readonly privateKey: CryptoKey; readonly keyId: string };
