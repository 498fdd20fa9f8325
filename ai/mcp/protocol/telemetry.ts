import type { Metrics } from "../../../mod.ts";
import { record } from "../../telemetry/metrics.ts";
import {
  type Attributes,
  isTracing,
  noSpan,
  type Span,
  startSpan,
} from "../../telemetry/tracing.ts";
import { cutLine } from "../../json.ts";
import { McpClientError, McpError, rpcCodes } from "./errors.ts";
import type { RpcParams } from "./messages.ts";

/** Upper bounds for the time of a request, in seconds: from a list in memory to a long piece of work. */
const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** The methods of the protocol: the names of others are a stranger's choice. */
const methods: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "tools/call", "tools/list", "prompts/get"],
  ...["prompts/list", "resources/list", "resources/read", "resources/templates/list"],
]);

/** Returns the name of a method for traces and metrics, whose number must stay small. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : "_OTHER";
}

export interface Subject {
  readonly side: "client" | "server";
  readonly method: string;
  readonly tool?: string | undefined;
  readonly prompt?: string | undefined;
  readonly uri?: unknown;
  readonly attributes: Attributes;
  readonly metrics: Metrics | undefined;
  readonly traceparent?: unknown;
  readonly id?: string | undefined;
  /** The span of an agent's tool, which stands for the request. */
  readonly outer?: Span | undefined;
}

/** Does the work of a request in its span, and counts it (OpenTelemetry, conventions for MCP). */
export async function observe(
  subject: Subject,
  work: (span: Span) => Promise<RpcParams>,
): Promise<RpcParams> {
  const startedAt = performance.now();
  const { side, method, tool, prompt, uri, traceparent, id, outer } = subject;
  let span = noSpan;
  if (isTracing()) {
    const attributes = {
      ...describeSubject(subject),
      "jsonrpc.request.id": id,
      "mcp.resource.uri": typeof uri === "string" ? cutLine(uri, maxUriChars) : undefined,
    };
    const target = tool ?? prompt;
    const name = target === undefined ? method : `${method} ${target}`;
    outer?.add({ ...attributes, "gen_ai.tool.name": undefined });
    span = outer ?? startSpan(name, { kind: side, traceparent, attributes });
  }
  const end = (outcome: string, error?: unknown): void => {
    const durationMs = performance.now() - startedAt;
    count(subject, outcome, durationMs);
    if (!isTracing()) return;
    const failure = describeFailure(outcome, error, side);
    span.add(failure);
    const errorType = failure["error.type"];
    if (errorType !== undefined) span.fail(error, errorType);
    span.end();
    record(`mcp.${side}.operation.duration`, {
      value: durationMs / 1000,
      attributes: { ...describeSubject(subject), ...failure },
    });
  };
  try {
    const result = await span.run(() => work(span));
    const isTodo = result.resultType === "input_required";
    end(result.isError === true ? "tool_error" : isTodo ? "input_required" : "ok");
    return result;
  } catch (error) {
    end(errorName(error, side), error);
    throw error;
  }
}

const maxUriChars = 2_048;

function describeSubject({ method, tool, prompt, attributes }: Subject): Attributes {
  return {
    "mcp.method.name": method,
    "gen_ai.tool.name": tool,
    "gen_ai.prompt.name": prompt,
    "gen_ai.operation.name": tool === undefined ? undefined : "execute_tool",
    ...attributes,
  };
}

export function errorName(error: unknown, side: Subject["side"]): string {
  if (error instanceof McpError) return String(error.code);
  if (error instanceof McpClientError) return error.code;
  const isAbort = error instanceof DOMException && error.name === "AbortError";
  return isAbort || side === "client" ? "aborted" : String(rpcCodes.internalError);
}

export function count(
  { side, method, tool = "", metrics }: Subject,
  outcome: string,
  durationMs: number,
): void {
  if (metrics === undefined) return;
  const isServer = side === "server";
  const name = isServer ? "fw_mcp" : "fw_mcp_client";
  const [about, time] = isServer
    ? ["Requests of MCP clients.", "How long requests of MCP clients took."]
    : ["Requests to MCP servers.", "How long MCP servers took to answer."];
  // For a client the names of tools are the server's choice.
  const labels = isServer ? ["method", "tool"] : ["method"];
  const values = isServer ? [method, tool] : [method];
  metrics.counter(`${name}_requests_total`, about, ...labels, "outcome")
    .with(...values, outcome).inc();
  metrics.histogram(`${name}_request_duration_seconds`, time, durationBuckets, ...labels)
    .with(...values).observe(durationMs / 1000);
}

/** The codes that say that the server itself failed: those of the rest are the caller's fault. */
function isServerFault(code: number): boolean {
  return code === -32603 || (code <= -32000 && code >= -32099);
}

function describeFailure(
  type: string,
  error: unknown,
  side: Subject["side"],
): { readonly "error.type"?: string; readonly "rpc.response.status_code"?: string } {
  if (type === "ok" || type === "input_required") return {};
  if (!(error instanceof McpError)) return { "error.type": type };
  const status = { "rpc.response.status_code": type };
  const isError = side === "client" || isServerFault(error.code);
  return isError ? { ...status, "error.type": type } : status;
}

/** Times a session of a client. */
export function timeSession(revision: string, transport: "tcp" | "pipe"): () => void {
  const startedAt = performance.now();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    record("mcp.client.session.duration", {
      value: (performance.now() - startedAt) / 1000,
      attributes: { "mcp.protocol.version": revision, "network.transport": transport },
    });
  };
}
