import {
  type Awaitable,
  hideCredentials,
  isLoopback,
  type JsonObject,
  noteBootWarning,
} from "../../runtime/addon.ts";
import { isStorableText, type SignIn } from "../session_record.ts";
import { isId } from "./id_token.ts";

/** The application as it is registered at an identity provider. */
export interface OidcClient {
  /** The identifier that the provider gave the application. */
  readonly clientId: string;
  /** The secret that the provider gave the application; absent for a public client. */
  readonly clientSecret?: string | undefined;
  /** The absolute URL of the callback route, as it is registered at the provider. */
  readonly redirectUrl: string;
  /**
   * The parameters that make the provider ask the user again, for `requireRecent`, such as Google's
   * `{ prompt: "select_account" }`. @default those that the provider documents, `{ max_age: "0" }` of `oidc`,
   * none of `oauth`
   */
  readonly again?: Readonly<Record<string, string>>;
}

/** The URLs of a provider without ID tokens; they may have a query. */
export interface OAuthEndpoints {
  /** The URL to which the browser is sent. */
  readonly authorizationEndpoint: string;
  /** The URL that exchanges the code for an access token, as JSON. */
  readonly tokenEndpoint: string;
  /** The URL that returns the user to whom an access token belongs, as a JSON object. */
  readonly userinfoEndpoint: string;
}

/** The provider settings of {@link oauth}. */
export interface OAuthProvider extends OidcClient, OAuthEndpoints {
  /** The provider's name in sessions and accounts: its issuer (RFC 8414), which a response may name too. */
  readonly issuer: string;
  /** The scopes that reading the user requires. @default none */
  readonly scopes?: readonly string[];
  /**
   * Returns the user from the response of `userinfoEndpoint`. `fetchJson` reads further URLs of the same
   * origin with the access token, such as `/user/emails`. Another URL and an `HttpError` refuse the sign-in.
   */
  readonly identity: (
    userInfo: JsonObject,
    fetchJson: (url: string) => Promise<unknown>,
  ) => Awaitable<OAuthIdentity>;
}

/** A user as {@link OAuthProvider} reads one. Values come from the provider, so the sign-in checks them. */
export interface OAuthIdentity {
  /**
   * The stable identifier of the account, never a name or an address: a string of 1 to 255 characters
   * or an integer from 1 to 2^53 - 1. Anything else refuses the sign-in.
   */
  readonly subject: unknown;
  /** The email address, which is dropped unless `isEmailVerified` is `true`. @default none */
  readonly email?: unknown;
  /** `true` if the provider has verified the address; every other value counts as `false`. @default false */
  readonly isEmailVerified?: unknown;
  /** The display name. @default none */
  readonly name?: unknown;
  /** The roles, a string or an array of strings. @default none */
  readonly roles?: unknown;
}

export interface ProviderPlan extends OidcClient {
  /** Why no sign-in works in production. */
  readonly fault?: string | undefined;
  /** The issuer: the base URL of the discovery document and the provider's name in sessions. */
  readonly issuer: string;
  /** The issuer that the discovery document names, if it differs. */
  readonly documentIssuer?: string;
  /** The endpoints, scopes and users of a provider that issues no ID tokens. */
  readonly oauth?: Required<Pick<OAuthProvider, "scopes" | "identity">> & {
    readonly endpoints: OAuthEndpoints;
  };
  /** Reports whether the issuer of a token, or of a response (without claims), is the provider. */
  readonly isIssuer: (iss: string, claims?: JsonObject) => boolean;
  /** Returns the values of the role claims, each a string or an array of strings. */
  readonly roles: (claims: JsonObject) => readonly unknown[];
  readonly isEmailTrusted: (claims: JsonObject) => boolean;
  /** The claims read from the access token if the ID token lacks them. */
  readonly accessTokenClaims: readonly string[];
  /** Returns a warning about incomplete claims, for the log. */
  readonly describeFault?: (claims: JsonObject) => string | undefined;
  /** Returns the sign-out URL of a provider that does not publish a standard one. */
  readonly logoutUrl?: (returnTo: string) => string | undefined;
}

/** The limits of sessions; longer values are dropped. */
const maxNameChars = 500;
const maxEmailChars = 320;
export const maxRoles = 1_000;

/**
 * Reads the user from the provider's claims. Drops an unverified email address, because an application
 * may identify the owner of an account by it.
 */
export function parseUser(
  claims: JsonObject & { readonly sub: string },
  plan: Pick<ProviderPlan, "roles" | "isEmailTrusted">,
  options: { readonly roleClaims: readonly string[]; readonly isEmailTrusted: boolean },
): SignIn & { readonly roles: readonly string[] } {
  const { roleClaims } = options;
  const values = [...plan.roles(claims), ...roleClaims.map((name) => claims[name])].flat();
  const text = (value: unknown, max: number): string | undefined =>
    isStorableText(value, max) && value !== "" ? value : undefined;
  const isTrusted = plan.isEmailTrusted(claims) ||
    (options.isEmailTrusted && claims.email_verified === undefined);
  return {
    subject: claims.sub,
    email: isTrusted ? text(claims.email, maxEmailChars) : undefined,
    name: text(claims.name, maxNameChars) ?? text(claims.preferred_username, maxNameChars),
    roles: [...new Set(values.filter(isId))].slice(0, maxRoles),
  };
}

export function isEmailVerified({ email_verified: isVerified }: JsonObject): boolean {
  return isVerified === true || isVerified === "true";
}

/** Checks the settings of a provider. @throws {TypeError} naming the invalid setting, its value and the fix. */
export function checkPlan({ issuer, clientId, redirectUrl, oauth }: ProviderPlan): void {
  if (typeof clientId !== "string" || clientId.trim() === "") {
    throw new TypeError(
      `Cannot sign in at "${issuer}": clientId is missing; use the ID that the provider issued.`,
    );
  }
  for (const [name, value] of Object.entries({ issuer, redirectUrl, ...oauth?.endpoints })) {
    const url = URL.parse(value);
    const shown = hideCredentials(value);
    const isPlain = url?.protocol === "http:" && isLoopback(url.hostname);
    const wrong = name.endsWith("Endpoint") ? /#/ : /[#?]|\/\.well-known\//;
    const isAllowed = isPlain || url?.protocol === "https:";
    if (isPlain && name !== "redirectUrl") {
      // Not a fault: an application without this provider may share the process, as in tests.
      noteBootWarning(`production refuses sign-ins at "${shown}"`, "use https");
    }
    if (isAllowed && !wrong.test(value) && url?.username === "") continue;
    const at = hideCredentials(issuer);
    throw new TypeError(
      `Cannot sign in at "${at}": ${name} is "${shown}"; write an absolute https URL without a query ` +
        "and /.well-known/, or an http URL of localhost in development.",
    );
  }
}
