/**
 * A client for chat-completions servers, tools that a model can call, and agents.
 *
 * @module
 */

export { type Agent, agent, type AgentDefinition } from "./agent.ts";
export type {
  ChatModel,
  ChatRequest,
  ChatResponse,
  ChatStream,
  Delta,
  FinishReason,
} from "./chat.ts";
export { AiClient, aiFromEnv, type AiFromEnvOptions } from "./client.ts";
export { asTool, chain, parallel } from "./compose.ts";
export { AiError, type AiErrorCode, type AiErrorOptions } from "./errors.ts";
export { jsonSchema, type JsonSchemaValidator } from "./schema/schema.ts";
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
export { type ChatInput, readChat, type ReadChatOptions } from "./read_chat.ts";
export { run, runStream } from "./runs/run.ts";
export {
  approve,
  type Decision,
  type DoneEvent,
  type FinishedRun,
  type HandoffEvent,
  type PausedRun,
  type PendingCall,
  reject,
  type RunArguments,
  type RunEvent,
  type RunInput,
  type RunOptions,
  type RunResult,
  type RunState,
  type Step,
  type TextEvent,
  type ToolCallEvent,
  type ToolResultEvent,
} from "./runs/types.ts";
export {
  type FailedRun,
  type RunFailure,
  sendRun,
  type SendRunOptions,
  type ShownRun,
} from "./send_run.ts";
export type { Usage } from "./usage.ts";
export {
  type Tool,
  tool,
  type ToolCallContext,
  type ToolContext,
  type ToolDefinition,
} from "./tool.ts";
