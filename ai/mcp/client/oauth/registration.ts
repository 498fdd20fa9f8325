import { isLoopback } from "../../../../runtime/addon.ts";
import { isJsonObject } from "../../../json.ts";
import type { OAuthOptions, OAuthStore } from "./options.ts";
import type { Discovery, ServerMetadata } from "./discovery.ts";
import { authError, fetchJson } from "./fetch.ts";

/** How the client is known to one authorization server. */
export interface ClientIdentity {
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

/**
 * Returns how the client is known to an authorization server: registered beforehand, by the address of
 * its metadata document, or registered now.
 *
 * @throws {McpClientError} when the server offers no way.
 */
export async function identify(
  server: ServerMetadata,
  { options, store, fetch, signal }: Discovery & {
    readonly options: OAuthOptions;
    readonly store: OAuthStore;
  },
): Promise<ClientIdentity> {
  const { client, clientMetadataUrl } = options;
  if (client !== undefined) {
    // Credentials of one server must not reach another.
    if (client.issuer !== server.issuer) {
      throw authError(
        `Cannot sign in: the client is registered with "${client.issuer}", and the MCP server ` +
          `trusts "${server.issuer}".`,
      );
    }
    return { clientId: client.clientId, clientSecret: client.clientSecret };
  }
  if (clientMetadataUrl !== undefined && server.takesMetadataDocuments) {
    return { clientId: clientMetadataUrl, clientSecret: undefined };
  }
  const key = `client ${server.issuer} ${options.redirectUri}`;
  const kept = parseIdentity(await store.get(key));
  if (kept !== undefined) return kept;
  if (server.registrationEndpoint === undefined) {
    throw authError(
      `Cannot sign in: "${server.issuer}" registers no clients by itself; register one there and ` +
        'give it as "client".',
    );
  }
  const url = server.registrationEndpoint;
  const identity = await register(url, { options, server, fetch, signal });
  await store.set(key, JSON.stringify(identity));
  return identity;
}

/** Forgets a registration that the server no longer knows. */
export async function forgetRegistration(
  { issuer }: ServerMetadata,
  { options, store }: { readonly options: OAuthOptions; readonly store: OAuthStore },
): Promise<void> {
  await store.delete(`client ${issuer} ${options.redirectUri}`);
}

function parseIdentity(text: string | undefined): ClientIdentity | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (!isJsonObject(value) || typeof value.clientId !== "string") return undefined;
    const { clientId, clientSecret } = value;
    return { clientId, clientSecret: typeof clientSecret === "string" ? clientSecret : undefined };
  } catch {
    return undefined;
  }
}

/** Registers the client (RFC 7591). */
async function register(
  url: string,
  { options, server, fetch, signal }: Discovery & {
    readonly options: OAuthOptions;
    readonly server: ServerMetadata;
  },
): Promise<ClientIdentity> {
  const { hostname } = new URL(options.redirectUri);
  const isLocal = isLoopback(hostname);
  const { status, body } = await fetchJson(fetch, {
    url,
    signal,
    init: {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        client_name: options.clientName,
        redirect_uris: [options.redirectUri],
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        token_endpoint_auth_method: "none",
        // Without it a server of OpenID Connect refuses loopback addresses.
        application_type: isLocal ? "native" : "web",
      }),
    },
  });
  if ((status !== 200 && status !== 201) || typeof body?.client_id !== "string") {
    const error = typeof body?.error === "string" ? ` (${body.error.slice(0, 100)})` : "";
    throw authError(
      `Cannot register the client with "${server.issuer}": it answered ${status}${error}.`,
    );
  }
  const { client_id: clientId, client_secret: secret } = body;
  return { clientId, clientSecret: typeof secret === "string" ? secret : undefined };
}
