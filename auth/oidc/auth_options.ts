import type { Application, Ctx, Handler } from "../../mod.ts";
import type { Awaitable } from "../../runtime/addon.ts";
import type { Guards } from "../guards.ts";
import type { SignIn, User } from "../session_record.ts";
import { isAppPath, type SessionOptions } from "../session_options.ts";
import type { Sessions } from "../sessions.ts";
import { algorithmOfKey } from "./jws.ts";
import type { ProviderPlan } from "./provider_plan.ts";

/** Options that every provider accepts. */
export interface AuthOptions extends SessionOptions {
  /**
   * Sessions shared with passwords or other providers; pass the session options to `createSessions` then.
   * @default own sessions
   */
  readonly sessions?: Sessions;
  /** Additional claims that contain roles, each a string or an array of strings. @default none */
  readonly roleClaims?: readonly string[];
  /**
   * Scopes requested in addition to `openid` or, without ID tokens, to those of the provider.
   * @default ["profile", "email"], or none without ID tokens
   */
  readonly scopes?: readonly string[];
  /** Path after a sign-in without `next`, without the base path. @default "/" */
  readonly afterLogin?: string;
  /** Path after a logout, without the base path. @default "/" */
  readonly afterLogout?: string;
  /** Further authorization request parameters, such as `prompt`, `ui_locales` or `audience`. @default none */
  readonly authorizationParameters?: Readonly<Record<string, string>>;
  /** How the application authenticates. @default from the provider's metadata if there is a secret, else "none" */
  readonly clientAuth?: ClientAuth;
  /** Maximum age of the user's sign-in at the provider, in seconds. @default any time */
  readonly maxAgeSeconds?: number;
  /** Whether the claims of the provider's userinfo endpoint are read as well. @default false */
  readonly userInfo?: boolean;
  /** Whether to accept unverified email addresses: only if users cannot set their own. @default false */
  readonly isEmailTrusted?: boolean;
  /**
   * Finds or creates the user's row at each sign-in and returns its key, which becomes `user.id`, and
   * roles to add to those of the claims. An `HttpError` refuses the sign-in. Find the row by provider and
   * subject, never by email address. Sessions that started without this option end. @default no row
   */
  readonly account?: (c: Ctx, user: ProviderUser) => Awaitable<AccountRow>;
  /** Whether the provider's tokens are stored, encrypted, for `accessToken`; needs a store. @default false */
  readonly keepTokens?: boolean;
  /** Sends the requests to the provider. @default fetch */
  readonly fetch?: typeof fetch;
}

/** A user of a provider, for `account` of {@link AuthOptions}. */
export interface ProviderUser extends SignIn, Pick<User, "provider"> {
  /** The signed-in user to whose account to add this one, after `connect`. @default a sign-in */
  readonly connectTo?: User | undefined;
}

/** The row of a user in the application, as `account` of {@link AuthOptions} returns it. */
export interface AccountRow {
  /** The key of the row, 1 to 255 characters. */
  readonly id: string;
  /** Roles in addition to those of the claims. @default none */
  readonly roles?: readonly string[];
  /**
   * The user of the application's own account, to which the identity was connected: the session is one of
   * `sessions.start`, with `id` as its subject. @default the provider's user
   */
  readonly own?: Pick<SignIn, "email" | "name"> | undefined;
  /**
   * Reports whether the row and its roles are unchanged. It is called after the session has started;
   * `false` ends that. Without it, a role removed during a sign-in stays until the session ends.
   * @default no check
   */
  readonly isCurrent?: () => Awaitable<boolean>;
}

/** A sign-in at an identity provider: its routes, its guards and its sessions. */
export interface Auth extends Guards, Pick<Sessions, "user" | "list" | "endOne" | "endOthers"> {
  /**
   * Sends the browser to the provider: `export const GET = auth.start` in `app/login/route.ts`. The query
   * parameter `next` is the path to return to afterwards.
   *
   * @returns {Response} 302 to the provider.
   * @throws {Problem} 503 if the provider is down.
   */
  readonly start: Handler;
  /**
   * Sends a signed-in user to the provider, so that `account` connects both: `export const POST` of a page,
   * behind `requireRecent`. The callback refuses all but the same session, and returns to `next`, else to
   * this path. Reading this property throws a `TypeError` without `account`.
   *
   * @returns {Response} 303 to the provider.
   * @throws {HttpError} 401 without a session.
   * @throws {Problem} 503 if the provider is down.
   */
  readonly connect: Handler;
  /**
   * Completes the sign-in when the provider redirects back: `export const GET` of the route of `redirectUrl`.
   *
   * @returns {Response} 303 to the page that the user requested.
   * @throws {HttpError} 400 for an invalid response, 403 `sign_in_cancelled` if the user cancelled or the
   * provider refuses them.
   * @throws {Problem} 503 if the provider is down.
   */
  readonly callback: Handler;
  /**
   * Signs out here and at the provider: `export const POST` of a route with `Kind = "page"`, whose CSRF
   * check keeps other sites from signing users out.
   *
   * @returns {Response} 303 to the provider or to `afterLogout`.
   * @throws {HttpError} 403 for a request from another site, 503 `session_store_failed`.
   */
  readonly logout: Handler;
  /**
   * Ends sessions at the provider's request (OpenID Connect Back-Channel Logout 1.0): `export const POST` of
   * a route that is not a page. Reading this property throws a `TypeError` if the sessions have no store.
   */
  readonly backchannelLogout: Handler;
  /**
   * Returns the access token of the signed-in user. Concurrent requests and replicas share one refresh.
   * Returns `undefined` for an anonymous request, and if the provider no longer renews the token.
   *
   * @throws {TypeError} without `keepTokens`.
   * @throws {Problem} 503 if the provider is down.
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
  /** `undefined` selects a method that the provider's metadata names. */
  readonly clientAuth: ClientAuth | undefined;
  readonly maxAgeSeconds: number | undefined;
  readonly account: AuthOptions["account"];
}

type Defaulted =
  | ("roleClaims" | "afterLogin" | "afterLogout" | "userInfo" | "isEmailTrusted")
  | ("authorizationParameters" | "fetch" | "now");

const methods: ReadonlySet<unknown> = new Set<ClientAuth>([
  ...["basic", "client_secret_basic", "post", "client_secret_post", "none"] as const,
]);

/** Parameters that the flow sets itself; overriding one would remove its protection. */
const ownParameters: ReadonlySet<string> = new Set([
  ...["response_type", "response_mode", "client_id", "redirect_uri", "scope", "state", "nonce"],
  ...["code_challenge", "code_challenge_method", "max_age", "request", "request_uri"],
]);

/** The response mode that some providers require, such as Apple. */
const formPost = "response_mode form_post";

/** Fills in the defaults. @throws {TypeError} naming the invalid option, its value and the fix. */
export function authSettings(
  options: AuthOptions,
  { clientSecret, oauth }: Pick<ProviderPlan, "clientSecret" | "oauth">,
): AuthSettings {
  const { scopes = oauth === undefined ? ["profile", "email"] : [] } = options;
  const { maxAgeSeconds, clientAuth, roleClaims = [] } = options;
  const { afterLogin = "/", afterLogout = "/", authorizationParameters = {} } = options;
  const { userInfo = false, isEmailTrusted = false, fetch = globalThis.fetch } = options;
  const { now = Date.now, account } = options;
  const fail = (name: string, value: unknown, fix: string): never => {
    throw new TypeError(`Cannot sign in with ${name} "${value}": ${fix}.`);
  };
  for (const [name, path] of Object.entries({ afterLogin, afterLogout })) {
    if (!isAppPath(path)) fail(name, path, "use a path of the application");
  }
  if (!scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope))) {
    fail("scopes", scopes, "name each scope by itself, in printable ASCII");
  }
  if (roleClaims.some((name) => name.trim() === "")) {
    fail("roleClaims", roleClaims, "name each claim");
  }
  const own = Object.entries(authorizationParameters)
    .find(([name, value]) => ownParameters.has(name) && `${name} ${value}` !== formPost)?.[0];
  if (own !== undefined) fail("authorizationParameters", own, "leave it out; the flow sets it");
  if (maxAgeSeconds !== undefined && !(maxAgeSeconds >= 0 && Number.isSafeInteger(maxAgeSeconds))) {
    fail("maxAgeSeconds", maxAgeSeconds, "use an integer number of seconds, 0 or more");
  }
  if (oauth !== undefined && maxAgeSeconds !== undefined) {
    fail("maxAgeSeconds", maxAgeSeconds, "leave it out; only an ID token states the time");
  }
  if (clientAuth !== undefined && typeof clientAuth !== "object" && !methods.has(clientAuth)) {
    fail("clientAuth", clientAuth, `use one of ${[...methods].join(", ")}, or a privateKey`);
  }
  const needsSecret = typeof clientAuth === "string" && clientAuth !== "none";
  if ((needsSecret || clientSecret === "") && !clientSecret) {
    fail("clientAuth", clientAuth, 'set a clientSecret, or use clientAuth: "none"');
  }
  if (typeof clientAuth === "object" && clientAuth.keyId.trim() === "") {
    fail("keyId", clientAuth.keyId, "use the ID under which the provider knows the key");
  }
  if (typeof clientAuth === "object" && algorithmOfKey(clientAuth.privateKey) === undefined) {
    fail("clientAuth", "privateKey", "use a private key for RS256, RS384, RS512, ES256 or ES384");
  }
  const scope = [...new Set([...oauth?.scopes ?? ["openid"], ...scopes])].join(" ");
  const sent = { scope, authorizationParameters, maxAgeSeconds, clientAuth };
  const read = { roleClaims, userInfo, isEmailTrusted, account };
  return { ...sent, ...read, afterLogin, afterLogout, fetch, now };
}

/**
 * How the application authenticates at the provider (OpenID Connect Core, section 9): with its secret in a
 * header or in the form, not at all, or with a signing key (RSASSA-PKCS1-v1_5, or ECDSA on P-256 or P-384).
 */
export type ClientAuth =
  | ("basic" | "client_secret_basic")
  | ("post" | "client_secret_post")
  | "none"
  | { readonly privateKey: CryptoKey; readonly keyId: string };
