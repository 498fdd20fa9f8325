import { HttpLink } from "./http_link.ts";
import type { HttpOptions } from "./http_sender.ts";
import type { McpTransport } from "./link.ts";

export type { HttpOptions } from "./http_sender.ts";

/**
 * Describes a server at a URL.
 *
 * @param url The MCP endpoint; plain HTTP only where the network can be trusted.
 * @param options Headers, `fetch` and limits.
 * @returns The transport, for `dial`.
 * @throws {TypeError} for a URL that is not absolute, or has another scheme than HTTP.
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
  const name = `${parsed.origin}${parsed.pathname}`;
  return {
    name,
    connect: (events) => Promise.resolve(new HttpLink(parsed, { options, events })),
  };
}
