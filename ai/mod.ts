/**
 * A client for servers of the chat-completions protocol, tools that a model can call, and agents.
 *
 * @module
 */

export { AiError, type AiErrorCode, type AiErrorOptions } from "./errors.ts";
export { jsonSchema, type JsonSchemaValidator } from "./json_schema.ts";
export { type Tool, tool, type ToolContext, type ToolDefinition } from "./tool.ts";
