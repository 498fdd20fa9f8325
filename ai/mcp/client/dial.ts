import { checkCounts, checkTimeout } from "../../options.ts";
import { McpClient } from "./client.ts";
import type { McpTransport } from "./link.ts";
import type { DialOptions } from "./options.ts";

/**
 * Connects to an MCP server and detects which revision it supports.
 *
 * @returns The client; close it with `close`, or declare it with `await using`.
 * @throws {RangeError} for an option out of range.
 * @throws {McpClientError} if the connection fails or no revision is shared.
 * @throws {McpError} the server's error.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { App } from "@fw/fw";
 * import { dial, http, mcpServer, mcpTool } from "@fw/fw/mcp";
 *
 * const time = mcpTool({ name: "time", description: "Returns the time." }, () => "noon");
 * const server = mcpServer({ name: "clock", version: "1.0.0", tools: [time] });
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
 *
 * await using client = await dial(http("http://localhost/mcp", {
 *   fetch: (url, init) => app.fetch(new Request(url, init)),
 * }));
 * assertEquals(client.server?.name, "clock");
 * assertEquals((await client.tools()).map(({ name }) => name), ["time"]);
 * ```
 */
export async function dial(transport: McpTransport, options: DialOptions = {}): Promise<McpClient> {
  const { timeoutMs = 60_000, maxEntries = 10_000, maxInputRounds = 10 } = options;
  checkTimeout("timeoutMs of dial", timeoutMs);
  checkCounts({ maxEntries, maxInputRounds }, 0);
  const client = new McpClient(transport, options);
  try {
    await client.start();
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}
