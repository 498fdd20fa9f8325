import type { Discovery, ServerMetadata } from "./discovery.ts";
import { authError, fetchJson } from "./fetch.ts";
import type { ClientIdentity } from "./registration.ts";

/** What a token endpoint gave. */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** When the access token expires, in milliseconds since 1970; `undefined` where the server did not say. */
  readonly expiresMs: number | undefined;
  /** The scopes that were asked for. */
  readonly scopes: readonly string[];
  /** Who issued it. */
  readonly issuer: string;
  /** The resource that they were asked for. */
  readonly resource?: string | undefined;
}

/** A request to a token endpoint. */
export interface TokenRequest {
  readonly server: ServerMetadata;
  readonly client: ClientIdentity;
  /** The grant and its parameters. */
  readonly params: Readonly<Record<string, string>>;
  readonly scopes: readonly string[];
}

/** The error of a token endpoint, with its code. */
export class TokenError extends Error {
  /** The class name, also in copies of the package. */
  override readonly name: string = "TokenError";
  /** The code, such as `invalid_grant`. */
  readonly code: string;
  /** Whether another try may help: a server that is busy or down has refused nothing. */
  readonly isPassing: boolean;

  /** Made by {@link fetchTokens}. */
  constructor(code: string, status: number) {
    super(`The token endpoint answered "${code}".`);
    this.code = code;
    this.isPassing = status >= 500 || passing.has(status);
  }
}

const passing: ReadonlySet<number> = new Set([408, 425, 429]);

/**
 * Asks a token endpoint.
 *
 * @throws {TokenError} what the endpoint answered.
 * @throws {McpClientError} for an answer that is none.
 */
export async function fetchTokens(
  { server, client, params, scopes }: TokenRequest,
  { fetch, signal }: Discovery,
): Promise<Tokens> {
  const form = new URLSearchParams(params);
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  authenticate({ server, client, form, headers });
  const { status, body } = await fetchJson(fetch, {
    url: server.tokenEndpoint,
    signal,
    init: { method: "POST", headers, body: form.toString() },
  });
  if (status !== 200) {
    const code = typeof body?.error === "string" ? body.error.slice(0, 100) : `status ${status}`;
    throw new TokenError(code, status);
  }
  const { access_token: accessToken, token_type: type, expires_in: seconds } = body ?? {};
  if (typeof accessToken !== "string" || !/^[\x21-\x7e]+$/.test(accessToken)) {
    throw authError(`Cannot sign in: "${server.issuer}" gave no access token.`);
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    throw authError(`Cannot sign in: "${server.issuer}" gave no bearer token.`);
  }
  const refreshToken = body?.refresh_token;
  return {
    accessToken,
    refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
    expiresMs: typeof seconds === "number" ? Date.now() + seconds * 1_000 : undefined,
    scopes,
    issuer: server.issuer,
  };
}

/** Authenticates the client, in the way that the server knows (OAuth 2.1, section 2.4). */
function authenticate(
  { server, client, form, headers }: {
    readonly server: ServerMetadata;
    readonly client: ClientIdentity;
    readonly form: URLSearchParams;
    readonly headers: Headers;
  },
): void {
  const { clientId, clientSecret } = client;
  const methods = server.tokenAuthMethods;
  // Basic is what a server that says nothing takes (RFC 8414, section 2).
  const isBasic = methods.length === 0 || methods.includes("client_secret_basic");
  if (clientSecret !== undefined && isBasic) {
    const pair = [clientId, clientSecret].map(formEncode).join(":");
    headers.set("authorization", `Basic ${btoa(pair)}`);
    return;
  }
  form.set("client_id", clientId);
  if (clientSecret !== undefined) form.set("client_secret", clientSecret);
}

function formEncode(text: string): string {
  return new URLSearchParams({ "": text }).toString().slice(1);
}
