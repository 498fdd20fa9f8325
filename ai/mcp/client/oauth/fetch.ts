import { isLoopback } from "../../../../runtime/addon.ts";
import { isJsonObject } from "../../../json.ts";
import { readBodyText } from "../../../http/body_chunks.ts";
import { McpClientError } from "../errors.ts";

/** Sends the requests of a sign-in. */
export type OAuthFetch = (request: Request) => Promise<Response>;

/** How much of a document is read. */
const maxBytes = 1_048_576;

/** How long one request of a sign-in may take, in milliseconds. */
const timeoutMs = 15_000;

/** Returns the error of a sign-in that cannot go on. */
export function authError(message: string, cause?: unknown): McpClientError {
  return new McpClientError("mcp_auth", message, { cause });
}

/** The authorization server does not give the scopes that were asked for. */
export class InvalidScopeError extends McpClientError {
  /** Made by {@link refusalError}. */
  constructor(message: string, cause: unknown) {
    super("mcp_auth", message, { cause });
  }
}

/** Returns the error of a sign-in that the authorization server refused with a code of OAuth. */
export function refusalError(
  message: string,
  { code, cause }: { readonly code: string; readonly cause?: unknown },
): McpClientError {
  return code === "invalid_scope"
    ? new InvalidScopeError(message, cause)
    : authError(message, cause);
}

/** Reports whether a URL may carry secrets: HTTPS, or a loopback address for development. */
export function isSafeUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return false;
  if (parsed.protocol === "https:") return true;
  return parsed.protocol === "http:" && isLoopback(parsed.hostname);
}

/**
 * Keeps the requests of a sign-in from this machine, unless the MCP server is on it: where they go is what
 * a stranger's server says.
 */
export function keepOutside(server: URL, fetch: OAuthFetch): OAuthFetch {
  if (isLoopback(server.hostname)) return fetch;
  return async (request) => {
    const { hostname, origin } = new URL(request.url);
    if (!isLoopback(hostname)) return await fetch(request);
    throw authError(`Cannot sign in: the MCP server leads to this machine, ${origin}.`);
  };
}

/**
 * Sends a request and reads its JSON.
 *
 * @returns The status, with `undefined` for a body that is no JSON object.
 * @throws {McpClientError} for a URL that is not safe, and for a server that cannot be reached.
 */
export async function fetchJson(
  fetch: OAuthFetch,
  { url, init = {}, signal }: {
    readonly url: string;
    readonly init?: RequestInit;
    readonly signal: AbortSignal;
  },
): Promise<
  { readonly status: number; readonly body: Readonly<Record<string, unknown>> | undefined }
> {
  if (!isSafeUrl(url)) throw authError(`Cannot sign in: "${url}" is not HTTPS.`);
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const headers = new Headers(init.headers);
  headers.set("accept", "application/json");
  // A redirect could lead a code or a token to another host.
  const request = new Request(url, { ...init, headers, redirect: "manual", signal: bounded });
  const response = await fetch(request);
  return { status: response.status, body: await readObject(response, bounded) };
}

async function readObject(
  response: Response,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { text, isCut } = await readBodyText(response.body, { maxBytes, signal });
  if (isCut) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the texts of a list; none where it is none. */
export function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
