import type { Metrics } from "../../../mod.ts";
import { McpClientError, McpError, rpcCodes } from "./errors.ts";
import type { RpcParams } from "./messages.ts";

/** Upper bounds for the time of a request, in seconds: from a list in memory to a long piece of work. */
const durationBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300];

/** The methods of the protocol: the names of others are a stranger's choice. */
const methods: ReadonlySet<string> = new Set([
  ...["initialize", "ping", "server/discover", "tools/call", "tools/list", "prompts/get"],
  ...["prompts/list", "resources/list", "resources/read", "resources/templates/list"],
]);

export interface Subject {
  readonly side: "client" | "server";
  readonly method: string;
  readonly tool?: string | undefined;
  readonly metrics: Metrics | undefined;
}

/** Does the work of a request and counts it. */
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
    end(errorName(error, subject.side));
    throw error;
  }
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
  const known = methods.has(method) ? method : "_OTHER";
  // For a client the names of tools are the server's choice.
  const labels = isServer ? ["method", "tool"] : ["method"];
  const values = isServer ? [known, tool] : [known];
  metrics.counter(`${name}_requests_total`, about, ...labels, "outcome")
    .with(...values, outcome).inc();
  metrics.histogram(`${name}_request_duration_seconds`, time, durationBuckets, ...labels)
    .with(...values).observe(durationMs / 1000);
}
