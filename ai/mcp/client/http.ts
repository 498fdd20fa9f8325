import { isLoopback } from "../../../runtime/addon.ts";
import { HttpLink } from "./http_link.ts";
import { fetchResponse, type HttpOptions } from "./http_sender.ts";
import type { McpTransport } from "./link.ts";
import { McpAuthorization } from "./oauth/oauth.ts";

export type { HttpOptions } from "./http_sender.ts";

/**
 * Describes a server at a URL.
 *
 * @param url The MCP endpoint; plain HTTP only where the network can be trusted.
 * @param options Headers, sign-in and limits.
 * @returns The transport, for `dial`.
 * @throws {TypeError} for a URL that is not absolute, or has another scheme than HTTP, for `auth` over plain
 * HTTP to another machine, and for a `redirectUri` or a `clientMetadataUrl` that no server accepts.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { http } from "@fw/fw/mcp";
 *
 * const transport = http("https://mcp.example/mcp", { headers: { Authorization: "Bearer …" } });
 * assertEquals(transport.name, "https://mcp.example/mcp");
 * ```
 */
export function http(url: string | URL, options: HttpOptions = {}): McpTransport {
  const parsed = URL.parse(url);
  if (parsed === null || !/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(`Cannot dial "${url}": give an absolute URL with http or https.`);
  }
  if (options.auth !== undefined && parsed.protocol === "http:" && !isLoopback(parsed.hostname)) {
    throw new TypeError(
      `Cannot sign in at "${url}": a token would travel in the clear; give an https URL.`,
    );
  }
  const name = `${parsed.origin}${parsed.pathname}`;
  const { auth } = options;
  // The sign-in outlives a connection: a dial opens up to two, and every lost session one more.
  const authorization = auth === undefined ? undefined : new McpAuthorization(parsed, {
    ...auth,
    fetch: (request) => fetchResponse(request, options),
  });
  return {
    name,
    connect: (events) => Promise.resolve(new HttpLink(parsed, { options, authorization, events })),
  };
}
