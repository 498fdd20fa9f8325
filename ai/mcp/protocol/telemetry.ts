import type { Metrics } from "../../../mod.ts";
import { record } from "../../telemetry/otel_metrics.ts";
import { type Attributes, isTracing, type Span } from "../../telemetry/tracing.ts";
import { McpError } from "./errors.ts";
import type { RpcParams } from "./messages.ts";

/** Upper bounds for the time of a request, in seconds: from a list in memory to a long piece of work. */
const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** The methods of the protocol: the names of others are a stranger's choice. */
const methods: ReadonlySet<string> = new Set([
  "completion/complete",
  "initialize",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "subscriptions/listen",
  "tools/call",
  "tools/list",
]);

/** Returns the name of a method for traces and metrics, whose number must stay small. */
export function knownMethod(method: string): string {
  return methods.has(method) ? method : "_OTHER";
}

export interface Subject {
  /** The method, as {@link knownMethod} has it. */
  readonly method: string;
  /** The tool that is called, if it exists. */
  readonly tool?: string | undefined;
  /** The prompt that is asked for, if it exists. */
  readonly prompt?: string | undefined;
  /** Attributes of the transport. */
  readonly attributes: Attributes;
}

/** Returns the name of a request's span (OpenTelemetry, conventions for MCP). */
export function spanName({ method, tool, prompt }: Subject): string {
  const target = tool ?? prompt;
  return target === undefined ? method : `${method} ${target}`;
}

/** Returns what spans and metrics say of a request. */
export function attributesOf({ method, tool, prompt, attributes }: Subject): Attributes {
  return {
    "mcp.method.name": method,
    "gen_ai.tool.name": tool,
    "gen_ai.prompt.name": prompt,
    "gen_ai.operation.name": tool === undefined ? undefined : "execute_tool",
    ...attributes,
  };
}

export type Outcome =
  | { readonly kind: "result"; readonly result: RpcParams }
  | { readonly kind: "error"; readonly error: unknown; readonly type: string };

/**
 * Returns what metrics call an outcome: `ok`, `input_required`, `tool_error`, the code of an error of the
 * protocol, or the name of another failure.
 */
function outcomeName(outcome: Outcome): string {
  if (outcome.kind === "error") return outcome.type;
  if (outcome.result.isError === true) return "tool_error";
  return outcome.result.resultType === "input_required" ? "input_required" : "ok";
}

export interface Meters {
  readonly side: "client" | "server";
  readonly metrics: Metrics | undefined;
  readonly durationMs: number;
}

export function finish(
  subject: Subject,
  outcome: Outcome,
  { span, ...meters }: Meters & { readonly span: Span },
): void {
  count(subject, outcomeName(outcome), meters);
  if (!isTracing()) return;
  const failure = describeFailure(outcome, meters.side);
  span.add(failure);
  const errorType = failure["error.type"];
  if (errorType !== undefined) {
    span.fail(outcome.kind === "error" ? outcome.error : undefined, errorType);
  }
  span.end();
  record(`mcp.${meters.side}.operation.duration`, {
    value: meters.durationMs / 1000,
    attributes: { ...attributesOf(subject), ...failure },
  });
}

export function count(
  { method, tool = "" }: Subject,
  outcome: string,
  { side, metrics, durationMs }: Meters,
): void {
  if (metrics === undefined) return;
  if (side === "server") {
    metrics.counter(
      "fw_mcp_requests_total",
      "Requests of MCP clients.",
      "method",
      "tool",
      "outcome",
    )
      .with(method, tool, outcome).inc();
    metrics.histogram(
      "fw_mcp_request_duration_seconds",
      "How long requests of MCP clients took.",
      durationBuckets,
      "method",
      "tool",
    ).with(method, tool).observe(durationMs / 1000);
    return;
  }
  // The names of tools are the server's choice.
  metrics.counter("fw_mcp_client_requests_total", "Requests to MCP servers.", "method", "outcome")
    .with(method, outcome).inc();
  metrics.histogram(
    "fw_mcp_client_request_duration_seconds",
    "How long MCP servers took to answer.",
    durationBuckets,
    "method",
  ).with(method).observe(durationMs / 1000);
}

/** The codes that say that the server itself failed: those of the rest are the caller's fault. */
function isServerFault(code: number): boolean {
  return code === -32603 || (code <= -32000 && code >= -32099);
}

function describeFailure(
  outcome: Outcome,
  side: Meters["side"],
): { readonly "error.type"?: string; readonly "rpc.response.status_code"?: string } {
  const type = outcomeName(outcome);
  if (type === "ok" || type === "input_required") return {};
  if (outcome.kind !== "error" || !(outcome.error instanceof McpError)) {
    return { "error.type": type };
  }
  const status = { "rpc.response.status_code": type };
  const isError = side === "client" || isServerFault(outcome.error.code);
  return isError ? { ...status, "error.type": type } : status;
}

export interface OpenSession {
  readonly side: "client" | "server";
  readonly revision: string;
  /** `pipe` over stdio. */
  readonly transport: "tcp" | "pipe";
}

/** Starts the clock of a session. */
export function timeSession({ side, revision, transport }: OpenSession): () => void {
  const startedAt = performance.now();
  let isOver = false;
  return () => {
    if (isOver) return;
    isOver = true;
    record(`mcp.${side}.session.duration`, {
      value: (performance.now() - startedAt) / 1000,
      attributes: { "mcp.protocol.version": revision, "network.transport": transport },
    });
  };
}
