import { type AnySchema, type JsonSchema, type Method, toJsonSchema } from "../../../../mod.ts";
import { readCapped, requestHeaders } from "../../../../runtime/addon.ts";
import { describeObject, jsonSchema } from "../../../schema/schema.ts";
import {
  audioContent,
  type ContentBlock,
  imageContent,
  resourceContent,
} from "../../protocol/content.ts";
import { isJsonObject } from "../../../json.ts";
import type { McpCall } from "../call.ts";
import { CallContext } from "../call_context.ts";
import {
  type McpTool,
  mcpTool,
  type McpToolDefinition,
  type ToolResult,
  toolResult,
} from "./tools.ts";

/** A route of the application as a tool. */
export interface RouteToolDefinition extends
  Pick<
    McpToolDefinition<unknown, unknown>,
    "title" | "icons" | "annotations" | "scopes" | "needsApproval" | "timeoutMs" | "headers"
  > {
  /** The most bytes of the route's response. @default 1048576 */
  readonly maxBytes?: number | undefined;
  /** The name that clients call the tool by. */
  readonly name: string;
  /** Description for the model: the tool's effect, and when to use it. */
  readonly description: string;
  /** The method of the route. @default "GET" */
  readonly method?: Exclude<Method, "OPTIONS"> | undefined;
  /** The pattern of the route, such as `/api/events/{id}`. */
  readonly pattern: string;
  /** The arguments: path, and query or JSON body. @default the parameters of the pattern, as texts */
  readonly input?: AnySchema | undefined;
}

/**
 * Turns a route of the application into a tool. A call is a request through the whole pipeline,
 * with the `Authorization` and `Cookie` of the caller: middleware, guards, limits and validation
 * apply as usual. JSON becomes a structured result, an image an image, an error text for the model.
 *
 * @returns The tool, for `mcpServer`.
 * @throws {TypeError} for a pattern without its argument in `input`, a name or a schema that does not fit.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import { toolFromRoute } from "@fw/fw/mcp";
 *
 * const find = toolFromRoute({
 *   name: "find_events",
 *   description: "Finds the events of a city.",
 *   pattern: "/api/events",
 *   input: struct({ city: text("required") }),
 * });
 * assertEquals(find.inputSchema.required, ["city"]);
 * ```
 */
export function toolFromRoute(definition: RouteToolDefinition): McpTool {
  const { method = "GET", pattern, maxBytes = 1_048_576, name } = definition;
  const params = parsePattern(pattern, name);
  const input = definition.input ?? textsSchema(params);
  const { properties = {} } = describeObject(input, `the input of the tool "${name}"`);
  const missing = params.find((each) => !Object.hasOwn(properties, each));
  if (missing !== undefined) {
    throw new TypeError(
      `Cannot make "${pattern}" the tool "${name}": its input has no "${missing}".`,
    );
  }
  const plan: RoutePlan = { method, pattern, params, maxBytes };
  return mcpTool(
    { ...definition, input: passing(input) },
    (args, call) => run(plan, args, call),
  );
}

interface RoutePlan {
  readonly method: string;
  readonly pattern: string;
  readonly params: readonly string[];
  readonly maxBytes: number;
}

function parsePattern(pattern: string, name: string): string[] {
  if (!pattern.startsWith("/")) {
    throw new TypeError(`Cannot make "${pattern}" the tool "${name}": a pattern begins with "/".`);
  }
  return [...pattern.matchAll(paramForm)].map(([, param = ""]) => param);
}

const paramForm = /\{([A-Za-z][A-Za-z0-9_]*)(\.\.\.)?\}/g;

function textsSchema(names: readonly string[]): AnySchema {
  const properties = names.map((name): [string, JsonSchema] => [name, { type: "string" }]);
  return jsonSchema({
    type: "object",
    properties: Object.fromEntries(properties),
    ...(names.length === 0 ? {} : { required: [...names] }),
    additionalProperties: false,
  });
}

/** Validates, but hands the arguments on as they came: the route converts them itself. */
function passing(schema: AnySchema): AnySchema<Readonly<Record<string, unknown>>> {
  const standard = schema["~standard"];
  const described = toJsonSchema(schema);
  return {
    "~standard": {
      version: 1,
      vendor: standard.vendor,
      // What `toJsonSchema` asks for.
      ...{ jsonSchema: { input: () => described } },
      validate: async (value) => {
        const result = await standard.validate(value);
        if (result.issues !== undefined) return result;
        return { value: isJsonObject(value) ? value : {} };
      },
    },
  };
}

async function run(
  plan: RoutePlan,
  args: Readonly<Record<string, unknown>>,
  call: McpCall,
): Promise<ToolResult> {
  const fetch = call instanceof CallContext ? call.incoming.fetch : undefined;
  if (fetch === undefined) {
    throw new TypeError(
      `Cannot call the route "${plan.pattern}": there is no application; give serveStdio its app.`,
    );
  }
  const request = buildRequest(plan, args, call);
  if (request === undefined) {
    return toolResult({
      content: "A parameter of the path is empty or a dot segment",
      isError: true,
    });
  }
  return await readResult(await fetch(request), plan, request.url);
}

function buildRequest(
  { method, pattern, params }: RoutePlan,
  args: Readonly<Record<string, unknown>>,
  call: McpCall,
): Request | undefined {
  const { c } = call;
  const inPath = new Set(params);
  let isValid = true;
  const path = pattern.replaceAll(paramForm, (_, name: string, dots?: string) => {
    const text = String(args[name] ?? "");
    const segments = dots === undefined ? [text] : text.split("/");
    // A dot segment would lead to another route.
    if (segments.some((each) => each === "" || each === "." || each === "..")) isValid = false;
    // An argument may hold a lone surrogate, which no URL can.
    return segments.map((each) => encodeURIComponent(each.toWellFormed())).join("/");
  });
  if (!isValid) return undefined;
  const url = new URL(`${c?.base ?? ""}${path}`, c?.url ?? "http://localhost");
  const rest = Object.entries(args).filter(([name]) => !inPath.has(name));
  const headers = identityOf(call);
  headers.set("accept", "application/json, text/plain;q=0.9, */*;q=0.5");
  if (method === "GET" || method === "DELETE") {
    for (const [name, value] of rest) appendQuery(url.searchParams, name, value);
    return new Request(url, { method, headers, signal: call.signal });
  }
  headers.set("content-type", "application/json");
  const body = JSON.stringify(Object.fromEntries(rest));
  headers.set("content-length", String(new TextEncoder().encode(body).length));
  return new Request(url, { method, headers, body, signal: call.signal });
}

/** The headers that say who calls and belong to one trace; nothing else of the request is passed on. */
const identity = [
  ...["authorization", "cookie", "accept-language", "traceparent", "tracestate"],
  ...["x-forwarded-for", "x-forwarded-proto", "x-request-id"],
];

function identityOf({ c }: McpCall): Headers {
  const sent = c === undefined ? new Headers() : requestHeaders(c);
  return new Headers(identity.flatMap((name): [string, string][] => {
    const value = sent.get(name);
    return value === null ? [] : [[name, value]];
  }));
}

function appendQuery(search: URLSearchParams, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  for (const each of Array.isArray(value) ? value : [value]) {
    search.append(name, typeof each === "object" ? JSON.stringify(each) : String(each));
  }
}

async function readResult(
  response: Response,
  { maxBytes }: RoutePlan,
  url: string,
): Promise<ToolResult> {
  const bytes = await readCapped(response.body, { maxBytes });
  if (bytes === undefined) {
    const content = `The response is larger than ${maxBytes} bytes: ask for less`;
    return toolResult({ content, isError: true });
  }
  const type = (response.headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "";
  const text = new TextDecoder().decode(bytes);
  const isJson = /^application\/(?:[a-z0-9.+-]+\+)?json$/.test(type);
  const { status, headers } = response;
  if (status >= 400) {
    // The words of the route's problem document (RFC 9457) say what was wrong.
    const words = (isJson || type === "text/plain") && text !== "" ? `: ${text}` : "";
    return toolResult({ content: `HTTP ${status}${words}`, isError: true });
  }
  if (isJson) {
    const value: unknown = JSON.parse(text);
    return toolResult({ content: text, ...isJsonObject(value) && { structured: value } });
  }
  if (bytes.length > 0) return toolResult({ content: answerContent(type, bytes, url) });
  const location = headers.get("location");
  return toolResult({ content: location === null ? "Done" : `Done; see ${location}` });
}

function answerContent(type: string, bytes: Uint8Array, url: string): string | ContentBlock {
  if (type.startsWith("text/")) return new TextDecoder().decode(bytes);
  if (type.startsWith("image/")) return imageContent(bytes, { mimeType: type });
  if (type.startsWith("audio/")) return audioContent(bytes, { mimeType: type });
  const { pathname, search } = new URL(url);
  const mimeType = type === "" ? {} : { mimeType: type };
  return resourceContent(`app:${pathname}${search}`, { bytes, ...mimeType });
}
