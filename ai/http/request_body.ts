import type { JsonSchema } from "../../mod.ts";
import type { ChatRequest } from "../chat.ts";
import type { CheckedOptions } from "../options.ts";
import type { ContentPart, Message, ToolCall } from "../message.ts";
import { asObject, asText, contentText, isJson, isJsonObject, wellFormedJson } from "../json.ts";
import { describeObject } from "../schema/schema.ts";
import { checkTools, type Tool } from "../tool.ts";

/** Builds the JSON of a request. @throws {TypeError} for an invalid tool name or output schema. */
export function buildBody<T>(
  request: ChatRequest<T>,
  { model, isStream }: Pick<CheckedOptions, "model"> & { readonly isStream: boolean },
): string {
  const { messages, tools = [], output, temperature, maxTokens, extra } = request;
  // JSON omits undefined members.
  return wellFormedJson(JSON.stringify({
    model: request.model ?? model,
    messages: messages.map(encodeMessage),
    tools: tools.length > 0 ? encodeTools(tools) : undefined,
    response_format: output === undefined ? undefined : encodeFormat(output),
    temperature,
    max_completion_tokens: maxTokens,
    stream: isStream ? true : undefined,
    stream_options: isStream ? { include_usage: true } : undefined,
    ...extra,
  }));
}

function encodeMessage(message: Message): unknown {
  switch (message.role) {
    case "system":
      return { role: "system", content: message.content };
    case "user":
      return {
        role: "user",
        content: typeof message.content === "string"
          ? message.content
          : message.content.map(encodePart),
      };
    case "tool":
      return { role: "tool", tool_call_id: message.callId, content: message.content };
    case "assistant": {
      const { content, toolCalls = [], refusal, extra } = message;
      const parts = extra?.content;
      return {
        ...extra,
        role: "assistant",
        // Strict servers require null with tool calls and a string without them. Parts that are not text are
        // sent back if the text is unchanged.
        content: contentText(parts) === content && Array.isArray(parts)
          ? parts
          : content === "" && toolCalls.length > 0
          ? null
          : content,
        refusal,
        tool_calls: toolCalls.length === 0 ? undefined : toolCalls.map(encodeCall),
      };
    }
  }
}

function encodePart(part: ContentPart): unknown {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text };
    case "image":
      return { type: "image_url", image_url: { url: part.url, detail: part.detail } };
    case "file":
      return { type: "file", file: { filename: part.name, file_data: part.url } };
  }
}

function encodeCall({ id, name, arguments: text, extra }: ToolCall): unknown {
  // Some servers parse the arguments of earlier calls and refuse the request if they are not JSON.
  const fn = { ...asObject(extra?.function), name, arguments: isJson(text) ? text : "{}" };
  const type = asText(extra?.type) || "function";
  // A call of another type has its own member, which is sent back unchanged.
  const isOther = type !== "function" && asObject(extra?.[type]).name === name;
  return { ...extra, id, type, ...(isOther ? {} : { function: fn }) };
}

function encodeTools(tools: readonly Tool<never>[]): unknown {
  checkTools(tools, "offer");
  return tools.map(({ name, description, inputSchema }) => ({
    type: "function",
    function: { name, description, parameters: inputSchema },
  }));
}

/** Encodes the schema of a structured answer. @throws {TypeError} if it is not an object schema. */
export function encodeFormat(output: NonNullable<ChatRequest<unknown>["output"]>): unknown {
  const schema = describeObject(output, "the output");
  const strict = isStrict(schema) ? { strict: true } : {};
  return { type: "json_schema", json_schema: { name: "output", schema, ...strict } };
}

/** The keywords that servers accept in a strict schema; they refuse a request with another one. */
const strictKeywords: ReadonlySet<string> = new Set([
  ...["$schema", "$ref", "$defs", "title", "description", "type", "enum", "const", "anyOf"],
  ...["properties", "required", "additionalProperties", "items", "minItems", "maxItems"],
  ...["minLength", "maxLength", "pattern", "format", "multipleOf"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"],
]);

const strictFormats = /^(?:date-time|time|date|duration|email|hostname|ipv4|ipv6|uuid)$/;

/** Reports whether servers can enforce a schema: each object requires all its members and no others. */
function isStrict(schema: unknown): boolean {
  if (!isJsonObject(schema)) return false;
  const { type, properties, required = [], items, anyOf = [], $defs }: JsonSchema = schema;
  const { additionalProperties, format = "date", pattern = "" }: JsonSchema = schema;
  const isOpen = [type].flat().includes("object") &&
    (additionalProperties !== false ||
      Object.keys(properties ?? {}).some((name) => !required.includes(name)));
  const isTyped = ["type", "anyOf", "$ref", "enum", "const"].some((name) => name in schema);
  // Their regular expressions have no look-around.
  const isPlain = strictFormats.test(format) && !/\(\?<?[=!]/.test(pattern);
  return isTyped && !isOpen && isPlain &&
    Object.keys(schema).every((name) => strictKeywords.has(name)) &&
    [items ?? [], anyOf, Object.values({ ...properties, ...asObject($defs) })].flat().every(
      isStrict,
    );
}
