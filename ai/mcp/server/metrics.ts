import type { Metrics } from "../../../mod.ts";
import { McpError, rpcCodes } from "../protocol/errors.ts";
import type { RpcParams } from "../protocol/messages.ts";
import { methods } from "./dispatch.ts";

/** Histogram buckets for request durations, in seconds: from a list in memory to a long task. */
const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** The methods of the protocol; others are not used as labels, because clients choose them. */
const labels: ReadonlySet<string> = new Set([
  ...methods.keys(),
  ...["initialize", "ping", "server/discover"],
  ...["logging/setLevel", "resources/subscribe", "resources/unsubscribe"],
]);

export interface Subject {
  readonly method: string;
  readonly tool?: string | undefined;
  readonly metrics: Metrics | undefined;
}

export async function observe(
  subject: Subject,
  work: () => Promise<RpcParams>,
): Promise<RpcParams> {
  const startedAt = performance.now();
  const end = (outcome: string): void => count(subject, outcome, performance.now() - startedAt);
  try {
    const result = await work();
    const isTodo = result.resultType === "input_required";
    end(result.isError === true ? "tool_error" : isTodo ? "input_required" : "ok");
    return result;
  } catch (error) {
    end(errorName(error));
    throw error;
  }
}

export function errorName(error: unknown): string {
  if (error instanceof McpError) return String(error.code);
  const isAbort = error instanceof DOMException && error.name === "AbortError";
  return isAbort ? "aborted" : String(rpcCodes.internalError);
}

export function count(
  { method, tool = "", metrics }: Subject,
  outcome: string,
  durationMs: number,
): void {
  if (metrics === undefined) return;
  const known = labels.has(method) ? method : "_OTHER";
  const requests = "Requests of MCP clients.";
  metrics.counter("fw_mcp_requests_total", requests, "method", "tool", "outcome")
    .with(known, tool, outcome).inc();
  const [name, took] = [
    "fw_mcp_request_duration_seconds",
    "How long requests of MCP clients took.",
  ];
  metrics.histogram(name, took, durationBuckets, "method", "tool")
    .with(known, tool).observe(durationMs / 1000);
}
