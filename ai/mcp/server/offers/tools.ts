import { type AnySchema, type JsonSchema, toJsonSchema } from "../../../../mod.ts";
import { checkSchema, jsonSchema } from "../../../schema/schema.ts";
import { checkTimeout } from "../../../options.ts";
import {
  approvalRule,
  describeInput,
  readArguments,
  type Tool,
  type ToolDefinition,
} from "../../../tool.ts";
import {
  type ContentBlock,
  isContent,
  isOnlyContent,
  type ResourceDetails,
} from "../../protocol/content.ts";
import { findHeaderParams, type HeaderParam } from "../../protocol/headers.ts";
import { cutLine, isJsonObject, toJsonText } from "../../../json.ts";
import { checkScopeNames } from "../bearer.ts";
import type { McpCall } from "../call.ts";
import type { RpcParams } from "../../protocol/messages.ts";

/** Hints about a tool, which clients must not rely on unless they trust the server. */
export interface ToolAnnotations {
  /** The display name, for clients that do not support `title`. */
  readonly title?: string;
  /** Whether the tool only reads. @default false */
  readonly readOnlyHint?: boolean;
  /** Whether the tool may destroy data. @default true */
  readonly destructiveHint?: boolean;
  /** Whether the tool is idempotent: a second call with the same arguments has no further effect. @default false */
  readonly idempotentHint?: boolean;
  /** Whether the tool accesses systems beyond this application. @default true */
  readonly openWorldHint?: boolean;
}

/** The definition that {@link mcpTool} takes. */
export interface McpToolDefinition<Input, Output>
  extends
    Pick<ToolDefinition<Input>, "description" | "input">,
    Pick<ResourceDetails, "title" | "icons"> {
  /** The name that clients use: 1 to 128 letters, digits, `_`, `-` and `.`. */
  readonly name: string;
  /** The schema of the structured result, which the function's return value must match. @default none */
  readonly output?: AnySchema<Output> | undefined;
  /** Hints about the tool's behaviour. @default none */
  readonly annotations?: ToolAnnotations | undefined;
  /** Scopes that the caller's token needs; over HTTP the server needs `auth`. @default none */
  readonly scopes?: readonly string[] | undefined;
  /** Whether a person must approve a call; clients without forms are refused. @default false */
  readonly needsApproval?: boolean | ((args: Input) => boolean | Promise<boolean>) | undefined;
  /** Timeout of one call, in milliseconds. @default the server's `callTimeoutMs` */
  readonly timeoutMs?: number | undefined;
  /** Arguments that a header repeats for proxies, by the suffix of `Mcp-Param-`; not for secrets. @default none */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A tool of an MCP server, with protocol features beyond {@link Tool}; an agent needs a `tool`. */
export interface McpTool
  extends
    Omit<Tool, "call" | "~context">,
    Pick<McpToolDefinition<never, never>, "title" | "icons" | "annotations" | "scopes"> {
  /** JSON Schema of the structured result. */
  readonly outputSchema?: JsonSchema | undefined;
  /** Validates the arguments and runs the function with the context of the call. */
  invoke(args: unknown, call: McpCall): Promise<unknown>;
}

/**
 * Defines a tool for an MCP server whose function can report progress, ask the user, and return
 * images, sound, resources and structured values.
 *
 * @param fn Runs the tool. A returned string becomes text for the model, and content is sent as it
 * is; with `output` the value is the structured result. {@link toolResult} combines these parts.
 * @throws {TypeError} for a name, a schema or a header that the protocol does not allow.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { float, struct, text } from "@fw/fw";
 * import { mcpTool } from "@fw/fw/mcp";
 *
 * const weather = mcpTool({
 *   name: "weather",
 *   description: "Returns the weather of a city.",
 *   input: struct({ city: text("required") }),
 *   output: struct({ celsius: float("required") }),
 *   annotations: { readOnlyHint: true },
 * }, async ({ city }, call) => {
 *   call.progress(1, { total: 2, message: `Asking about ${city}` });
 *   return await Promise.resolve({ celsius: 21 });
 * });
 * assertEquals(weather.name, "weather");
 * ```
 */
export function mcpTool<Input = Record<string, never>, Output = unknown>(
  definition: McpToolDefinition<Input, Output>,
  fn: (args: Input, call: McpCall) => unknown,
): McpTool {
  const { name, description, input, output, title, icons, annotations, scopes } = definition;
  checkName(name, "tool");
  const inputSchema = withHeaders(describeInput(name, input), definition.headers ?? {}, name);
  if (output !== undefined) checkSchema(output, `the output of the tool "${name}"`);
  const outputSchema = output === undefined ? undefined : toJsonSchema(output);
  return {
    name,
    description,
    inputSchema,
    title,
    icons,
    annotations,
    outputSchema,
    scopes,
    needsApproval: approvalRule(input, definition.needsApproval),
    timeoutMs: definition.timeoutMs,
    invoke: async (args, call) => await fn(await readArguments({ name, input }, args), call),
  };
}

function withHeaders(
  schema: JsonSchema,
  headers: Readonly<Record<string, string>>,
  name: string,
): JsonSchema {
  const entries = Object.entries(headers);
  if (entries.length === 0) return schema;
  const properties = new Map(Object.entries(schema.properties ?? {}));
  for (const [param, header] of entries) {
    const property = properties.get(param);
    if (property === undefined) {
      throw new TypeError(
        `Cannot repeat "${param}" of the tool "${name}" in a header: it has no such argument.`,
      );
    }
    properties.set(param, { ...property, "x-mcp-header": header });
  }
  return { ...schema, properties: Object.fromEntries(properties) };
}

const validName = /^[A-Za-z0-9_.-]{1,128}$/;

export function checkName(name: string, kind: "tool" | "prompt"): void {
  if (typeof name === "string" && validName.test(name)) return;
  throw new TypeError(
    `Cannot name the ${kind} "${cutLine(String(name))}": use 1 to 128 letters, digits, "_", "-" ` +
      'and ".".',
  );
}

export interface CompiledTool {
  readonly tool: Tool | McpTool;
  readonly scopes: readonly string[];
  readonly output: AnySchema | undefined;
  readonly headerParams: readonly HeaderParam[];
  readonly wire: Readonly<Record<string, unknown>>;
  readonly sessionWire: Readonly<Record<string, unknown>>;
}

export function isMcpTool(tool: Tool | McpTool): tool is McpTool {
  return "invoke" in tool;
}

export function compileTool(tool: Tool | McpTool): CompiledTool {
  const { name, description, inputSchema, timeoutMs } = tool;
  checkName(name, "tool");
  if (timeoutMs !== undefined) checkTimeout(`timeoutMs of the tool "${name}"`, timeoutMs);
  if (!isJsonObject(inputSchema) || inputSchema.type !== "object") {
    throw new TypeError(
      `Cannot serve the tool "${name}": its inputSchema is not an object schema.`,
    );
  }
  const headerParams = findHeaderParams(inputSchema);
  if (typeof headerParams === "string") {
    throw new TypeError(`Cannot serve the tool "${name}": ${headerParams}.`);
  }
  const more: Partial<McpTool> = isMcpTool(tool) ? tool : {};
  const { title, icons, annotations, outputSchema, scopes = [] } = more;
  checkScopeNames(scopes, `the tool "${name}"`);
  const base = { name, title, description, inputSchema, annotations, icons };
  // Older clients accept only objects as a structured result.
  const isObject = outputSchema?.type === "object";
  return {
    tool,
    scopes,
    output: outputSchema === undefined ? undefined : jsonSchema<unknown>(outputSchema),
    headerParams,
    wire: { ...base, outputSchema },
    sessionWire: isObject ? { ...base, outputSchema } : base,
  };
}

export interface CallOutcome extends RpcParams {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: unknown;
  readonly isError: true | undefined;
  readonly _meta: RpcParams | undefined;
}

/** The parts of a {@link toolResult}. */
export interface ToolResultParts {
  /** Content for the model. @default the structured value as JSON */
  readonly content?: string | ContentBlock | readonly ContentBlock[];
  /** Content for programs; it must match the tool's `output`. @default none */
  readonly structured?: unknown;
  /** Whether the call failed in a way that the model can correct. @default false */
  readonly isError?: boolean;
  /** The member `_meta` of the result, for the client rather than the model. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** A result with named parts. {@link toolResult} creates it. */
export class ToolResult {
  /** The parts. */
  readonly parts: ToolResultParts;

  /** Called by {@link toolResult}. */
  constructor(parts: ToolResultParts) {
    this.parts = parts;
  }
}

/**
 * Returns a tool's result with named parts: content in addition to a structured value, an error that
 * the model can correct, metadata for the client.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { toolResult } from "@fw/fw/mcp";
 *
 * const result = toolResult({ content: "No such city", isError: true });
 * assertEquals(result.parts.isError, true);
 * ```
 */
export function toolResult(parts: ToolResultParts): ToolResult {
  return new ToolResult(parts);
}

export function toOutcome(value: unknown, hasOutput: boolean): CallOutcome {
  if (value instanceof ToolResult) return fromParts(value.parts);
  if (hasOutput) return fromParts({ structured: value ?? null });
  if (value === undefined || value === null) return fromParts({ content: [] });
  const isList = Array.isArray(value) && value.length > 0 && value.every(isOnlyContent);
  if (typeof value === "string" || isList || isOnlyContent(value)) {
    return fromParts({ content: value });
  }
  return fromParts(isJsonObject(value) ? { structured: value } : { content: toJsonText(value) });
}

export function failedOutcome(message: string): CallOutcome {
  return fromParts({ content: message, isError: true });
}

function fromParts(parts: ToolResultParts): CallOutcome {
  const { content, structured, isError, meta } = parts;
  return {
    content: blocksOf(content, structured),
    structuredContent: structured,
    isError: isError || undefined,
    _meta: meta,
  };
}

function blocksOf(
  content: ToolResultParts["content"],
  structured: unknown,
): readonly ContentBlock[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (content !== undefined) return isContent(content) ? [content] : content;
  // Clients without support for structured values read the text.
  return structured === undefined ? [] : [{ type: "text", text: toJsonText(structured) }];
}
