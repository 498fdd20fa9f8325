import { isLoopback, type JsonObject } from "../../runtime/addon.ts";
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
}

export interface ProviderPlan extends OidcClient {
  /** The issuer, below which the discovery document lies; names the provider in sessions. */
  readonly issuer: string;
  /** The issuer that the discovery document names, where that is another text. */
  readonly documentIssuer?: string;
  /** Whether the issuer of a token, or of a response without claims, is the provider. */
  readonly isIssuer: (iss: string, claims?: JsonObject) => boolean;
  /** Returns the values of the claims that hold roles: each a string or a list of texts. */
  readonly roles: (claims: JsonObject) => readonly unknown[];
  readonly isEmailTrusted: (claims: JsonObject) => boolean;
  /** The claims that are taken from the access token where the ID token has none. */
  readonly accessTokenClaims: readonly string[];
  /** Returns what is odd about the claims, for the log. */
  readonly describeFault?: (claims: JsonObject) => string | undefined;
  /** Sign-out URL of a provider that does not publish one as the standard says. */
  readonly logoutUrl?: (returnTo: string) => string | undefined;
}

/** The limits of sessions: what is longer is left out. */
const maxNameChars = 500;
const maxEmailChars = 320;
const maxRoles = 1_000;

/**
 * Reads who signs in from the claims of the provider. An email address that the provider does not vouch
 * for is left out: an application may take it for the owner of an account.
 */
export function parseUser(
  claims: JsonObject & { readonly sub: string },
  plan: Pick<ProviderPlan, "roles" | "isEmailTrusted">,
  options: { readonly roleClaims: readonly string[]; readonly isEmailTrusted: boolean },
): SignIn {
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

/** Checks the settings of a provider. @throws {TypeError} naming the setting, its value and the fix. */
export function checkPlan({ issuer, clientId, redirectUrl }: ProviderPlan): void {
  if (typeof clientId !== "string" || clientId === "") {
    throw new TypeError(
      `Cannot sign in at "${issuer}": clientId is missing; write the one of the provider.`,
    );
  }
  for (const [name, value] of Object.entries({ issuer, redirectUrl })) {
    const url = URL.parse(value);
    const isAllowed = url?.protocol === "https:" ||
      (url?.protocol === "http:" && isLoopback(url.hostname));
    if (isAllowed && !/[#?]|\/\.well-known\//.test(value) && url?.username === "") continue;
    throw new TypeError(
      `Cannot sign in at "${issuer}": ${name} is "${value}"; write an absolute https URL without ` +
        "a query and /.well-known/, or an http URL of localhost in development.",
    );
  }
}
