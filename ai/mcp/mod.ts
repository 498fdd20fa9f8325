export { type McpHandlers, McpServer, mcpServer } from "./server/server.ts";
export { type McpTool, mcpTool } from "./server/tools.ts";
export { toolFromRoute } from "./server/route_tool.ts";
export { toolResult } from "./server/tool_result.ts";
export { resource, resourceTemplate } from "./server/resources.ts";
export { prompt } from "./server/prompts.ts";
export { McpError } from "./protocol/errors.ts";
export {
  audioContent,
  imageContent,
  resourceContent,
  resourceLink,
  textContent,
} from "./protocol/content.ts";
