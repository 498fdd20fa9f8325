import type { Metrics } from "../mod.ts";
import type { Usage } from "./usage.ts";
import { AiError } from "./errors.ts";
import type { Step } from "./runs/types.ts";

/** Histogram buckets for the time of an answer, in seconds: from a cached word to a long essay. */
const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export function countChat(
  metrics: Metrics,
  { model, usage, durationMs, firstPieceMs, outcome }: {
    readonly model: string;
    readonly durationMs: number;
    /** Time until the first piece, in milliseconds; `undefined` for a call without a stream. */
    readonly firstPieceMs: number | undefined;
    readonly usage: Usage | undefined;
    /** The result of `outcomeName`, or `ok`. */
    readonly outcome: string;
  },
): void {
  metrics.counter("fw_ai_requests_total", "Calls of models.", "model", "outcome")
    .with(model, outcome).inc();
  const time = (name: string, help: string, ms: number): void =>
    metrics.histogram(name, help, durationBuckets, "model").with(model).observe(ms / 1000);
  time("fw_ai_request_duration_seconds", "How long models took to answer.", durationMs);
  if (firstPieceMs !== undefined) {
    const help = "How long models took until the first piece of a stream.";
    time("fw_ai_first_piece_seconds", help, firstPieceMs);
  }
  if (usage === undefined) return;
  const tokens = metrics.counter("fw_ai_tokens_total", "Tokens of models.", "model", "type");
  tokens.with(model, "input").add(usage.inputTokens);
  tokens.with(model, "output").add(usage.outputTokens);
}

export function countTool(
  metrics: Metrics,
  { tool, durationMs, isError }: Pick<Step, "tool" | "durationMs" | "isError">,
): void {
  metrics.counter("fw_ai_tool_calls_total", "Calls of tools by models.", "tool", "outcome")
    .with(tool, isError ? "error" : "ok").inc();
  const name = "fw_ai_tool_duration_seconds";
  metrics.histogram(name, "How long tools took.", durationBuckets, "tool")
    .with(tool).observe(durationMs / 1000);
}

/** Returns the metrics label of a failure: the error's code, `aborted`, or `error` for a fault. */
export function outcomeName(error: unknown, signal: AbortSignal | undefined): string {
  if (error instanceof AiError) return error.code;
  return signal?.aborted === true ? "aborted" : "error";
}
