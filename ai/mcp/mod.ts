/**
 * The Model Context Protocol: a server whose tools, resources and prompts any client can use, and a client
 * for any server. Both support revision 2026-07-28, which has no sessions, and the revisions with sessions
 * (2025-06-18, 2025-11-25), over HTTP and over standard input and output.
 *
 * @example
 * ```ts
 * import { App, struct, text } from "@fw/fw";
 * import { dial, http, mcpServer, mcpTool } from "@fw/fw/mcp";
 * import { assertEquals } from "@std/assert";
 *
 * const greet = mcpTool({
 *   name: "greet",
 *   description: "Greets a person.",
 *   input: struct({ name: text("required") }),
 * }, ({ name }) => `Hello ${name}`);
 * const server = mcpServer({ name: "greeter", version: "1.0.0", tools: [greet] });
 * const app = new App({ logRequest: () => false });
 * app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
 *
 * const fetch = (url: string | URL, init?: RequestInit) => app.fetch(new Request(url, init));
 * await using client = await dial(http("http://localhost/mcp", { fetch }));
 * const { content } = await client.callTool("greet", { name: "Ada" });
 * assertEquals(content, [{ type: "text", text: "Hello Ada" }]);
 * ```
 *
 * @module
 */

export { dial, McpClient } from "./client/client.ts";
export {
  McpClientError,
  type McpClientErrorCode,
  type McpClientErrorOptions,
  McpError,
  type McpErrorOptions,
} from "./protocol/errors.ts";
export { http } from "./client/http.ts";
export type { Link, LinkEvents, McpTransport, Outgoing } from "./client/link.ts";
export type * from "./client/options.ts";
export type {
  McpPromptInfo,
  McpPromptMessages,
  McpResourceContents,
  McpResourceInfo,
  McpTemplateInfo,
  McpToolResult,
  McpToolsOptions,
  RemoteTool,
} from "./client/readings.ts";
export type { StdioOptions } from "./client/child.ts";
export { stdio } from "./client/stdio.ts";
export {
  type Annotations,
  type AudioContent,
  audioContent,
  type ContentBlock,
  type EmbeddedResource,
  type Icon,
  type ImageContent,
  imageContent,
  type MediaOptions,
  resourceContent,
  type ResourceContents,
  type ResourceDetails,
  type ResourceLink,
  type Role,
  type TextContent,
} from "./protocol/content.ts";
export type { McpChange, RpcParams } from "./protocol/messages.ts";
export type { BearerOptions } from "./server/bearer.ts";
export type {
  Elicited,
  ElicitForm,
  ElicitUrl,
  Implementation,
  McpCall,
  McpCaller,
  McpLogLevel,
  McpRoot,
  Sampled,
  SampleMessage,
  SampleRequest,
} from "./server/call.ts";
export type * from "./server/options.ts";
export * from "./server/offers/prompts.ts";
export * from "./server/offers/resources.ts";
export { McpServer, mcpServer } from "./server/server.ts";
export {
  type McpTool,
  mcpTool,
  type McpToolDefinition,
  type ToolAnnotations,
  ToolResult,
  toolResult,
  type ToolResultParts,
} from "./server/offers/tools.ts";
export type { UriTemplate } from "./server/offers/uri_template.ts";
