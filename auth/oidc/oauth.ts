import { isJsonObject } from "../../runtime/addon.ts";
import { createAuth } from "./auth.ts";
import type { Auth, AuthOptions } from "./auth_options.ts";
import type { OAuthProvider, OidcClient } from "./provider_plan.ts";
import { genericPlan, parseHostOrigin } from "./providers.ts";

/** Options of a provider without ID tokens. */
export type OAuthOptions = Omit<AuthOptions, "maxAgeSeconds" | "roleClaims" | "userInfo">;

/** A sign-in at a provider without ID tokens, which cannot send logout tokens either. */
export type OAuth = Omit<Auth, "backchannelLogout">;

/**
 * Signs users in at an OAuth 2.0 provider that is not an OpenID provider: the access token is used once, to
 * read the user. State, PKCE, sessions, accounts and guards are those of {@link oidc}. The secret is
 * sent in the form; `clientAuth: "basic"` sends it in a header.
 *
 * @throws {TypeError} for a URL that is invalid or not `https`, and for a missing secret.
 * @example
 * ```ts
 * import { oauth } from "@fw/fw/auth";
 *
 * export const auth = oauth({
 *   issuer: "https://x.com",
 *   authorizationEndpoint: "https://x.com/i/oauth2/authorize",
 *   tokenEndpoint: "https://api.x.com/2/oauth2/token",
 *   userinfoEndpoint: "https://api.x.com/2/users/me",
 *   scopes: ["users.read", "tweet.read"],
 *   clientId: "events",
 *   clientSecret: "from the environment",
 *   redirectUrl: "https://events.example/auth/callback",
 *   identity: ({ data }) => {
 *     const { id, name } = data as Record<string, unknown>;
 *     return { subject: id, name };
 *   },
 * }, { clientAuth: "basic" });
 * ```
 */
export function oauth(provider: OAuthProvider, options: OAuthOptions = {}): OAuth {
  const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint, identity, ...client } = provider;
  const { scopes = [], again = {} } = client;
  const endpoints = { authorizationEndpoint, tokenEndpoint, userinfoEndpoint };
  return createAuth({
    ...genericPlan(client),
    again,
    // The string "true" counts in ID tokens alone, where some providers send it.
    isEmailTrusted: ({ email_verified: isVerified }) => isVerified === true,
    oauth: { endpoints, scopes, identity },
  }, options);
}

/** The application as it is registered at GitHub. */
export interface GitHubClient extends OidcClient {
  /** The origin of your GitHub Enterprise Server or tenant. @default "https://github.com" */
  readonly origin?: string;
}

/**
 * Signs users in at GitHub. The subject is the account's number, which a change of the login keeps, and the
 * email address the primary one if GitHub has verified it. A GitHub App needs the permission to read
 * email addresses.
 *
 * @throws {TypeError} for a URL that is invalid or not `https`, and for a missing secret.
 * @example
 * ```ts
 * import { github } from "@fw/fw/auth";
 *
 * export const auth = github({
 *   clientId: "Iv1.8a61f9b3a7aba766",
 *   clientSecret: "from the environment",
 *   redirectUrl: "https://events.example/auth/callback",
 * });
 * ```
 */
export function github(client: GitHubClient, options: OAuthOptions = {}): OAuth {
  const { origin: host = "github.com", ...registration } = client;
  const origin = parseHostOrigin(host);
  // A GitHub Enterprise Server has the API on the same host.
  const isCloud = /[/.](?:github|ghe)\.com$/.test(origin);
  const api = isCloud ? origin.replace("://", "://api.") : `${origin}/api/v3`;
  // GitHub sends it with each response since 2026 (RFC 9207).
  const issuer = `${origin}/login/oauth`;
  return oauth({
    again: { prompt: "select_account" },
    ...registration,
    issuer,
    authorizationEndpoint: `${issuer}/authorize`,
    tokenEndpoint: `${issuer}/access_token`,
    userinfoEndpoint: `${api}/user`,
    scopes: ["read:user", "user:email"],
    identity: async ({ id, name, login }, fetchJson) => {
      const emails = await fetchJson(`${api}/user/emails?per_page=100`);
      const list = Array.isArray(emails) ? emails.filter(isJsonObject) : [];
      const { email, verified } = list.find(({ primary }) => primary === true) ?? {};
      return { subject: id, name: name ?? login, email, isEmailVerified: verified };
    },
  }, options);
}

/**
 * Signs users in at Discord.
 *
 * @throws {TypeError} for a redirect URL that is invalid or not `https`, and for a missing secret.
 * @example
 * ```ts
 * import { discord } from "@fw/fw/auth";
 *
 * export const auth = discord({
 *   clientId: "157730590492196864",
 *   clientSecret: "from the environment",
 *   redirectUrl: "https://events.example/auth/callback",
 * });
 * ```
 */
export function discord(client: OidcClient, options: OAuthOptions = {}): OAuth {
  return oauth({
    again: { prompt: "consent" },
    ...client,
    issuer: "https://discord.com",
    authorizationEndpoint: "https://discord.com/oauth2/authorize",
    tokenEndpoint: "https://discord.com/api/oauth2/token",
    userinfoEndpoint: "https://discord.com/api/v10/users/@me",
    scopes: ["identify", "email"],
    identity: ({ id, global_name: shown, username, email, verified }) => ({
      subject: id,
      name: shown ?? username,
      email,
      isEmailVerified: verified,
    }),
  }, options);
}
