import { isJsonObject, type JsonObject, noteBootFault, readVariable } from "../../runtime/addon.ts";
import { createAuth } from "./auth.ts";
import type { Auth, AuthOptions } from "./auth_options.ts";
import { isId } from "./id_token.ts";
import { isEmailVerified, type OidcClient, type ProviderPlan } from "./provider_plan.ts";

/** The provider settings of {@link oidc}. */
export interface OidcProvider extends OidcClient {
  /** The issuer, exactly as the provider's discovery document names it. */
  readonly issuer: string;
}

const roleClaims = ({ roles, groups }: JsonObject): unknown[] => [roles, groups];

export function genericPlan(provider: OidcProvider): ProviderPlan {
  return {
    ...provider,
    isIssuer: (iss) => iss === provider.issuer,
    roles: roleClaims,
    isEmailTrusted: isEmailVerified,
    accessTokenClaims: [],
  };
}

/**
 * Signs users in at any OpenID Connect provider. Roles are read from the claims `roles` and `groups`,
 * and from `roleClaims`.
 *
 * @throws {TypeError} for a URL that is invalid or not `https`, and for a missing secret.
 * @example
 * ```ts
 * import { oidc } from "@fw/fw/auth";
 *
 * // app/login/route.ts: export const GET = auth.start;
 * export const auth = oidc({
 *   issuer: "https://id.example",
 *   clientId: "events",
 *   clientSecret: "from the environment",
 *   redirectUrl: "https://events.example/auth/callback",
 * });
 * ```
 */
export function oidc(provider: OidcProvider, options: AuthOptions = {}): Auth {
  return createAuth(genericPlan(provider), options);
}

/** Options of {@link oidcFromEnv}. */
export interface EnvAuthOptions extends AuthOptions {
  /** Values that take precedence over the environment, such as `app.config.variables`. @default {} */
  readonly variables?: Readonly<Record<string, string>>;
}

/** Stand-ins for missing variables, which the test provider accepts and no other one. */
const standIns = {
  FW_OIDC_ISSUER: "https://fw-oidc-issuer-is-not-set.invalid",
  FW_OIDC_CLIENT_ID: "FW_OIDC_CLIENT_ID is not set",
  FW_OIDC_REDIRECT_URL: "http://localhost:3000/auth/callback",
} as const;

/**
 * Signs users in at the provider that environment variables configure: `FW_OIDC_ISSUER`,
 * `FW_OIDC_CLIENT_ID`, `FW_OIDC_CLIENT_SECRET` (omitted for a public client) and `FW_OIDC_REDIRECT_URL`.
 * Development and tests start without them, but in production the start, or the first sign-in, then throws a
 * `TypeError` that names them.
 *
 * @throws {TypeError} naming the missing variables, if `variables` are passed.
 * @example
 * ```ts
 * import { oidcFromEnv } from "@fw/fw/auth";
 *
 * Deno.env.set("FW_OIDC_ISSUER", "https://id.example");
 * Deno.env.set("FW_OIDC_CLIENT_ID", "events");
 * Deno.env.set("FW_OIDC_REDIRECT_URL", "https://events.example/auth/callback");
 * const auth = oidcFromEnv();
 * console.assert(typeof auth.callback === "function");
 * ```
 */
export function oidcFromEnv(options: EnvAuthOptions = {}): Auth {
  const { variables = {}, ...rest } = options;
  const read = (name: string): string => readVariable(name, variables)?.trim() ?? "";
  const required = Object.entries(standIns);
  const missing = required.map(([name]) => name).filter((name) => read(name) === "");
  const fault = missing.length === 0
    ? undefined
    : `Cannot sign in: the environment lacks ${missing.join(", ")}; set them for your provider.`;
  // With the variables of an application, its start may be over.
  if (fault !== undefined && options.variables !== undefined) throw new TypeError(fault);
  const [issuer = "", clientId = "", redirectUrl = ""] = required
    .map(([name, standIn]) => read(name) || standIn);
  const clientSecret = read("FW_OIDC_CLIENT_SECRET") || undefined;
  const plan = genericPlan({ issuer, clientId, clientSecret, redirectUrl });
  // The first sign-in throws it too: the boot does not see handlers that other functions call.
  const auth = createAuth({ ...plan, fault }, rest);
  const { start, callback, logout, require, requireAdmin } = auth;
  if (fault !== undefined) noteBootFault(fault, [start, callback, logout, require, requireAdmin]);
  return auth;
}

/** The provider settings of {@link entraId}. */
export interface EntraIdProvider extends OidcClient {
  /** The directory's ID, a GUID; `"organizations"` or `"common"` for several directories. */
  readonly tenant: string;
  /** The IDs of the directories that may sign in if `tenant` covers several; `"any"` for all. */
  readonly tenants?: readonly string[] | "any";
  /** Origin of the directory service. @default "https://login.microsoftonline.com" */
  readonly authority?: string;
}

const guid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Signs users in at Microsoft Entra ID. Roles are read from `roles`, `groups` and `wids`; the provider
 * omits `groups` for users with more than about 200, which is then logged. An email address is
 * accepted from a single directory of your own; from others only if the directory has verified its
 * domain (optional claim `xms_edov`), since their administrators can enter any address. For the same
 * reason a role of one of several directories follows the directory's ID, such as `6f3f…/editor`; the
 * ID alone is a role too.
 *
 * @throws {TypeError} for a tenant that is not a GUID, and for several without `tenants`.
 * @example
 * ```ts
 * import { entraId } from "@fw/fw/auth";
 *
 * const client = {
 *   clientId: "0b0a7d2e-3f5c-4c3f-8f5e-2f5a3a1f7c55",
 *   redirectUrl: "https://events.example/auth/callback",
 * };
 * export const auth = entraId({ ...client, tenant: "6f3f4c80-7c5e-4f7b-9a8f-0d2f8f1f9d11" });
 * ```
 */
export function entraId(provider: EntraIdProvider, options: AuthOptions = {}): Auth {
  const { tenant, tenants, authority: host, ...client } = provider;
  const authority = (host ?? "https://login.microsoftonline.com").replace(/\/+$/, "");
  const isShared = tenant === "organizations" || tenant === "common";
  const known = isShared ? tenants : [tenant];
  if (known === undefined || known.length === 0) {
    throw new TypeError(
      `Cannot sign in at the tenant "${tenant}" without tenants: list the directories that may ` +
        'sign in, or use tenants: "any".',
    );
  }
  const wrong = known === "any" ? undefined : known.find((id) => !guid.test(id));
  if (wrong !== undefined) {
    throw new TypeError(
      `Cannot sign in at the tenant "${wrong}": use the directory's ID, a lower-case GUID.`,
    );
  }
  const issuerOf = (id: string): string => `${authority}/${id}/v2.0`;
  const isIssuer = (iss: string, claims?: JsonObject): boolean => {
    const id = iss.slice(authority.length + 1, -"/v2.0".length);
    // A directory must not name another one in `tid`, by which applications distinguish their customers.
    const isTenant = claims === undefined || claims.tid === id ||
      (claims.tid === undefined && !isShared);
    return guid.test(id) && iss === issuerOf(id) && isTenant &&
      (known === "any" || known.includes(id));
  };
  return createAuth({
    again: { prompt: "login" },
    ...client,
    issuer: issuerOf(tenant),
    ...(isShared ? { documentIssuer: issuerOf("{tenantid}") } : {}),
    isIssuer,
    roles: ({ roles, groups, wids, tid }) => {
      const all = [roles, groups, wids].flat();
      // Each directory's administrators assign its roles, which must not count in another one.
      return isShared ? [tid, ...all.filter(isId).map((role) => `${tid}/${role}`)] : all;
    },
    isEmailTrusted: ({ xms_edov: isOwned }) => !isShared || isOwned === true || isOwned === "1",
    accessTokenClaims: [],
    describeFault: ({ _claim_names: names, hasgroups }) =>
      hasgroups === true || (isJsonObject(names) && names.groups !== undefined)
        ? "the directory left the groups out, since there are too many: use app roles, or send " +
          "only the groups that are assigned to the application"
        : undefined,
  }, options);
}

/** The provider settings of {@link keycloak}. */
export interface KeycloakProvider extends OidcClient {
  /** The URL of the server, including its path. */
  readonly url: string;
  /** The realm. */
  readonly realm: string;
}

/**
 * Signs users in at Keycloak. Roles are those of the realm (`realm_access.roles`) and of this client
 * (`resource_access[clientId].roles`); roles of other clients are ignored. They are read from the ID
 * token or, if it has none (Keycloak's default), from the signed access token.
 *
 * @throws {TypeError} for a URL that is invalid or not `https`.
 * @example
 * ```ts
 * import { keycloak } from "@fw/fw/auth";
 *
 * const client = { clientId: "events", redirectUrl: "https://events.example/auth/callback" };
 * export const auth = keycloak({ ...client, url: "https://sso.example", realm: "staff" });
 * ```
 */
export function keycloak(provider: KeycloakProvider, options: AuthOptions = {}): Auth {
  const { url, realm, ...client } = provider;
  const { clientId } = client;
  if (realm.trim() === "") {
    throw new TypeError(`Cannot sign in at the realm "${realm}": use its name, such as "main".`);
  }
  const issuer = `${url.replace(/\/+$/, "")}/realms/${encodeURIComponent(realm)}`;
  const rolesOf = (access: unknown): unknown => isJsonObject(access) ? access.roles : undefined;
  return createAuth({
    ...genericPlan({ ...client, issuer }),
    roles: ({ realm_access: inRealm, resource_access: byClient }) => [
      rolesOf(inRealm),
      isJsonObject(byClient) && Object.hasOwn(byClient, clientId)
        ? rolesOf(byClient[clientId])
        : undefined,
    ],
    accessTokenClaims: ["realm_access", "resource_access"],
  }, options);
}

/** The provider settings of {@link cognito}. */
export interface CognitoProvider extends OidcClient {
  /** The region, such as `eu-west-1`. */
  readonly region: string;
  /** The user pool's ID, such as `eu-west-1_AbCdEfGhI`. */
  readonly poolId: string;
  /** The domain of the managed sign-in pages; without it a logout ends only the application's session. */
  readonly logoutDomain?: string;
}

/**
 * Signs users in at an Amazon Cognito user pool. Roles are the groups (`cognito:groups`). A logout redirects
 * to `/logout` on `logoutDomain` with `logout_uri`, which must be an allowed sign-out URL of the client.
 *
 * @throws {TypeError} for an invalid region, pool or domain.
 * @example
 * ```ts
 * import { cognito } from "@fw/fw/auth";
 *
 * const client = { clientId: "events", redirectUrl: "https://events.example/auth/callback" };
 * export const auth = cognito({ ...client, region: "eu-west-1", poolId: "eu-west-1_AbCdEfGhI" });
 * ```
 */
export function cognito(provider: CognitoProvider, options: AuthOptions = {}): Auth {
  const { region, poolId, logoutDomain, ...client } = provider;
  if (!/^[a-z0-9-]+$/.test(region) || !/^[\w-]+$/.test(poolId)) {
    throw new TypeError(
      `Cannot sign in at the user pool "${poolId}" in "${region}": use values such as ` +
        '"eu-west-1_AbCdEfGhI" and "eu-west-1".',
    );
  }
  const logout = logoutDomain === undefined ? undefined : parseHostOrigin(logoutDomain);
  const plan = genericPlan({
    ...client,
    issuer: `https://cognito-idp.${region}.amazonaws.com/${poolId}`,
  });
  return createAuth({
    again: { prompt: "login" },
    ...plan,
    roles: (claims) => [claims["cognito:groups"]],
    // The pool's published endpoint does not support the standard's parameters.
    logoutUrl: (returnTo) => {
      if (logout === undefined) return undefined;
      const query = new URLSearchParams({ client_id: client.clientId, logout_uri: returnTo });
      return `${logout}/logout?${query}`;
    },
  }, options);
}

/** The provider settings of {@link clerk}. */
export interface ClerkProvider extends OidcClient {
  /** The frontend API URL, with or without a scheme and a trailing slash. */
  readonly frontendApiUrl: string;
}

/**
 * Signs users in at Clerk. Clerk sends no roles by default: add `roles`, `groups` or your
 * `roleClaims` to its tokens. A logout ends only the application's session, since Clerk publishes
 * no sign-out URL.
 *
 * @throws {TypeError} for an invalid URL.
 * @example
 * ```ts
 * import { clerk } from "@fw/fw/auth";
 *
 * const client = { clientId: "events", redirectUrl: "https://events.example/auth/callback" };
 * export const auth = clerk({ ...client, frontendApiUrl: "clerk.events.example" });
 * ```
 */
export function clerk(provider: ClerkProvider, options: AuthOptions = {}): Auth {
  const { frontendApiUrl, ...client } = provider;
  return createAuth(genericPlan({ ...client, issuer: parseHostOrigin(frontendApiUrl) }), options);
}

/** Returns the origin of a host that may be written with or without a scheme and a trailing slash. */
export function parseHostOrigin(host: string): string {
  const url = URL.parse(/^https?:\/\//.test(host) ? host : `https://${host}`);
  if (url !== null && url.pathname === "/" && url.search === "" && url.hash === "") {
    return url.origin;
  }
  throw new TypeError(`Cannot sign in at "${host}": use a host such as "id.example".`);
}
