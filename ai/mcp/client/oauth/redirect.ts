import { equalSecrets } from "../../../../runtime/addon.ts";
import type { ServerMetadata } from "./discovery.ts";
import { authError, refusalError } from "./fetch.ts";

/** What an authorization response is checked against. */
export interface ExpectedRedirect {
  readonly redirectUri: string;
  readonly state: string;
  readonly server: ServerMetadata;
}

/**
 * Reads the code of an authorization response. The issuer is checked first (RFC 9207, section 2.4): what
 * another server says, errors included, must not count.
 *
 * @param url The address at which the user came back.
 * @throws {McpClientError} for a response of another server, flow or address, and for a refusal.
 */
export function parseRedirect(url: string | URL, expected: ExpectedRedirect): string {
  const { redirectUri, state, server } = expected;
  const parsed = URL.parse(url);
  const wanted = new URL(redirectUri);
  if (parsed === null || parsed.origin !== wanted.origin || parsed.pathname !== wanted.pathname) {
    throw authError("Cannot sign in: the user came back at another address than redirectUri.");
  }
  const params = parsed.searchParams;
  const issuer = params.get("iss");
  if (issuer === null ? server.sendsIssuer : issuer !== server.issuer) {
    throw authError("Cannot sign in: the response is not from the authorization server.");
  }
  if (!equalSecrets(params.get("state") ?? "", state)) {
    throw authError("Cannot sign in: the response belongs to another sign-in.");
  }
  const error = params.get("error");
  if (error !== null) {
    const message = `Cannot sign in: the authorization server answered "${error.slice(0, 100)}".`;
    throw refusalError(message, { code: error });
  }
  const code = params.get("code");
  if (code !== null && code !== "") return code;
  throw authError("Cannot sign in: the response carries no code.");
}
