import { authError, fetchJson, isSafeUrl, type OAuthFetch, textList } from "./fetch.ts";

/** What is known about a protected resource (RFC 9728). */
export interface ResourceMetadata {
  readonly resource: string;
  readonly authorizationServers: readonly string[];
  readonly scopesSupported: readonly string[] | undefined;
}

/** What is known about an authorization server (RFC 8414, OpenID Connect Discovery 1.0). */
export interface ServerMetadata {
  readonly issuer: string;
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly registrationEndpoint: string | undefined;
  readonly scopesSupported: readonly string[];
  readonly tokenAuthMethods: readonly string[];
  readonly takesMetadataDocuments: boolean;
  readonly sendsIssuer: boolean;
}

const resourceSuffix = "/.well-known/oauth-protected-resource";

/** What a search needs. */
export interface Discovery {
  readonly fetch: OAuthFetch;
  readonly signal: AbortSignal;
}

/**
 * Finds the metadata of the MCP server: where its challenge says, else at the well-known places.
 *
 * @returns `undefined` where there is none.
 * @throws {McpClientError} for metadata of another resource, which could be a trap.
 */
export async function findResource(
  server: URL,
  { announced, fetch, signal }: Discovery & { readonly announced: string | undefined },
): Promise<ResourceMetadata | undefined> {
  const { origin, pathname } = server;
  const path = pathname === "/" ? "" : pathname;
  const places = announced === undefined
    ? [...new Set([`${origin}${resourceSuffix}${path}`, `${origin}${resourceSuffix}`])]
    : [announced];
  for (const url of places) {
    const { status, body } = await fetchJson(fetch, { url, signal });
    if (status !== 200 || body === undefined) continue;
    const { resource } = body;
    if (typeof resource !== "string" || !covers(resource, server)) {
      throw authError(`Cannot sign in: the metadata at "${url}" is of another resource.`);
    }
    const scopes = body.scopes_supported;
    return {
      resource,
      authorizationServers: textList(body.authorization_servers),
      scopesSupported: Array.isArray(scopes) ? textList(scopes) : undefined,
    };
  }
  return undefined;
}

/**
 * Reports whether a token for the resource is one for the server: same origin, and a path above it.
 */
function covers(resource: string, server: URL): boolean {
  const parsed = URL.parse(resource);
  if (parsed === null || parsed.origin !== server.origin) return false;
  const path = parsed.pathname.replace(/\/$/, "");
  return server.pathname === path || server.pathname.startsWith(`${path}/`);
}

/**
 * Finds the metadata of an authorization server, in the order of the specification.
 *
 * @throws {McpClientError} for a server without metadata, of another issuer, or without PKCE.
 */
export async function findServer(
  issuer: string,
  { fetch, signal }: Discovery,
): Promise<ServerMetadata> {
  const parsed = URL.parse(issuer);
  if (parsed === null || !isSafeUrl(issuer)) {
    throw authError(`Cannot sign in: the authorization server "${issuer}" is not HTTPS.`);
  }
  for (const url of placesOf(parsed)) {
    const { status, body } = await fetchJson(fetch, { url, signal });
    if (status !== 200 || body === undefined) continue;
    // Any server could announce the endpoints of another one (RFC 8414, section 3.3).
    if (body.issuer !== issuer) {
      throw authError(`Cannot sign in: the metadata at "${url}" is of another issuer.`);
    }
    return readServer(issuer, body);
  }
  throw authError(`Cannot sign in: the authorization server "${issuer}" has no metadata.`);
}

function placesOf({ origin, pathname }: URL): string[] {
  const path = pathname.replace(/\/$/, "");
  if (path === "") {
    return [
      `${origin}/.well-known/oauth-authorization-server`,
      `${origin}/.well-known/openid-configuration`,
    ];
  }
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

function readServer(issuer: string, body: Readonly<Record<string, unknown>>): ServerMetadata {
  const endpoint = (name: string): string => {
    const url = body[name];
    if (typeof url === "string" && isSafeUrl(url)) return url;
    throw authError(`Cannot sign in: the ${name} of "${issuer}" is missing or not HTTPS.`);
  };
  if (!textList(body.code_challenge_methods_supported).includes("S256")) {
    throw authError(`Cannot sign in: the authorization server "${issuer}" has no PKCE with S256.`);
  }
  return {
    issuer,
    authorizationEndpoint: endpoint("authorization_endpoint"),
    tokenEndpoint: endpoint("token_endpoint"),
    registrationEndpoint: body.registration_endpoint === undefined
      ? undefined
      : endpoint("registration_endpoint"),
    scopesSupported: textList(body.scopes_supported),
    tokenAuthMethods: textList(body.token_endpoint_auth_methods_supported),
    takesMetadataDocuments: body.client_id_metadata_document_supported === true,
    sendsIssuer: body.authorization_response_iss_parameter_supported === true,
  };
}
