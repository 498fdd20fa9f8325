/**
 * A client for servers of the chat-completions protocol, tools that a model can call, and agents.
 *
 * @module
 */

export type {
  ChatModel,
  ChatRequest,
  ChatResponse,
  ChatStream,
  Delta,
  FinishReason,
  Usage,
} from "./chat.ts";
export { AiClient, aiFromEnv } from "./client.ts";
export { AiError, type AiErrorCode, type AiErrorOptions } from "./errors.ts";
export { jsonSchema, type JsonSchemaValidator } from "./json_schema.ts";
export {
  assistant,
  type AssistantMessage,
  type ContentPart,
  image,
  type ImageOptions,
  type ImagePart,
  type Message,
  system,
  type SystemMessage,
  type TextPart,
  type ToolCall,
  type ToolMessage,
  toolResult,
  user,
  type UserMessage,
} from "./message.ts";
export type { AiClientOptions } from "./options.ts";
export { type Tool, tool, type ToolContext, type ToolDefinition } from "./tool.ts";
