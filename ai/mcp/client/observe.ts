import type { Metrics } from "../../../mod.ts";
import {
  activeToolSpan,
  type Attributes,
  isTracing,
  noSpan,
  portOf,
  type Span,
  startSpan,
} from "../../telemetry/tracing.ts";
import { cutLine } from "../../json.ts";
import { McpError } from "../protocol/errors.ts";
import type { RpcParams } from "../protocol/messages.ts";
import {
  attributesOf,
  finish,
  type Outcome,
  spanName,
  type Subject,
} from "../protocol/telemetry.ts";
import type { Connection } from "./connection.ts";
import { McpClientError } from "./errors.ts";

export interface Sending {
  readonly method: string;
  readonly params: RpcParams;
  readonly connection: Connection;
  readonly server: string;
  readonly metrics: Metrics | undefined;
  /** Whether the run of an agent calls a tool, in a span of its own. */
  readonly isAgentTool: boolean;
}

/** Sends a request in its span, and counts it. */
export async function observe(
  sending: Sending,
  work: (trace: RpcParams) => Promise<RpcParams>,
): Promise<RpcParams> {
  const { metrics } = sending;
  const startedAt = performance.now();
  const subject = subjectOf(sending);
  const span = isTracing() ? openSpan(sending, subject) : noSpan;
  const end = (outcome: Outcome): void => {
    const durationMs = performance.now() - startedAt;
    finish(subject, outcome, { side: "client", metrics, durationMs, span });
  };
  const { traceparent } = span;
  const trace = traceparent === undefined ? {} : { traceparent };
  try {
    const result = await span.run(() => work(trace));
    end({ kind: "result", result });
    return result;
  } catch (error) {
    end({ kind: "error", error, type: typeOf(error) });
    throw error;
  }
}

/** The conventions want one span for a tool: that of the agent, where there is one. */
function openSpan({ params: { uri }, isAgentTool }: Sending, subject: Subject): Span {
  const attributes = {
    ...attributesOf(subject),
    "mcp.resource.uri": typeof uri === "string" ? uri : undefined,
  };
  const outer = isAgentTool ? activeToolSpan() : undefined;
  if (outer === undefined) return startSpan(spanName(subject), { kind: "client", attributes });
  outer.add({ ...attributes, "gen_ai.tool.name": undefined });
  return outer;
}

function subjectOf({ method, params: { name }, connection, server }: Sending): Subject {
  const url = connection.link.hasHeaders ? URL.parse(server) : null;
  const named = typeof name === "string" ? cutLine(name) : undefined;
  const attributes: Attributes = {
    "mcp.protocol.version": connection.revision,
    "network.transport": url === null ? "pipe" : "tcp",
    "server.address": url?.hostname,
    "server.port": url === null ? undefined : portOf(url),
  };
  return {
    method,
    tool: method === "tools/call" ? named : undefined,
    prompt: method === "prompts/get" ? named : undefined,
    attributes,
  };
}

function typeOf(error: unknown): string {
  if (error instanceof McpError) return String(error.code);
  return error instanceof McpClientError ? error.code : "aborted";
}
