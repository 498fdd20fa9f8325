/**
 * A client for chat-completions servers, tools that a model can call, and agents.
 *
 * @module
 */

export { type Agent, agent, type AgentDefinition } from "./agent.ts";
export type * from "./chat.ts";
export * from "./client.ts";
export * from "./compose.ts";
export { AiError, type AiErrorCode, type AiErrorOptions } from "./errors.ts";
export { jsonSchema, type JsonSchemaValidator } from "./schema/schema.ts";
export * from "./message.ts";
export type { AiClientOptions } from "./options.ts";
export * from "./read_chat.ts";
export { run, runStream } from "./runs/run.ts";
export * from "./runs/types.ts";
export * from "./send_run.ts";
export type { Usage } from "./usage.ts";
export {
  type Tool,
  tool,
  type ToolCallContext,
  type ToolContext,
  type ToolDefinition,
} from "./tool.ts";
