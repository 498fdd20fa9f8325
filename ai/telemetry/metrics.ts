import type { Metrics } from "../../mod.ts";
import type { Usage } from "../usage.ts";
import { AiError } from "../errors.ts";
import type { Step } from "../runs/types.ts";
import { type Attributes, isTracing, known } from "./tracing.ts";

/** Upper bounds for the time of an answer, in seconds: from a cached word to a long essay. */
const durationBuckets = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300];

export interface FinishedChat {
  readonly model: string;
  readonly durationMs: number;
  /** Time until the first piece, in milliseconds; `undefined` for a call without a stream. */
  readonly firstPieceMs: number | undefined;
  readonly usage: Usage | undefined;
  /** `ok`, the code of the error, `aborted`, or `error` for a fault of the application. */
  readonly outcome: string;
}

export function countChat(metrics: Metrics, chat: FinishedChat): void {
  const { model, usage, durationMs, firstPieceMs } = chat;
  metrics.counter("fw_ai_requests_total", "Calls of models.", "model", "outcome")
    .with(model, chat.outcome).inc();
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

export function recordChat({ usage, durationMs, outcome }: FinishedChat, about: Attributes): void {
  const failure = outcome === "ok" ? {} : { "error.type": outcome };
  record("gen_ai.client.operation.duration", {
    value: durationMs / 1000,
    attributes: { ...about, ...failure },
  });
  if (usage === undefined) return;
  for (
    const [type, value] of [["input", usage.inputTokens], ["output", usage.outputTokens]] as const
  ) {
    const attributes = { ...about, "gen_ai.token.type": type };
    record("gen_ai.client.token.usage", { value, attributes });
  }
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

/** Returns what metrics and traces call an outcome: the code of the error, `aborted`, or `error` for a fault. */
export function outcomeOf(error: unknown, signal: AbortSignal | undefined): string {
  if (error instanceof AiError) return error.code;
  return signal?.aborted === true ? "aborted" : "error";
}

interface Telemetry {
  readonly meterProvider: {
    getMeter(name: string): { createHistogram(name: string, options: object): NativeHistogram };
  };
}

interface NativeHistogram {
  record(value: number, attributes: object): void;
}

const mcpBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const chatBounds = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The histograms of the OpenTelemetry conventions for generative AI and MCP that are recorded. */
const histograms = {
  "gen_ai.client.operation.duration": ["s", chatBounds, "How long models took to answer."],
  "gen_ai.client.token.usage": ["{token}", tokenBounds, "Tokens of models."],
  "mcp.client.session.duration": ["s", mcpBounds, "How long sessions with servers lasted."],
  "mcp.server.session.duration": ["s", mcpBounds, "How long sessions of clients lasted."],
  "mcp.client.operation.duration": ["s", mcpBounds, "How long servers took to answer."],
  "mcp.server.operation.duration": ["s", mcpBounds, "How long requests took."],
} as const satisfies Readonly<Record<string, HistogramRow>>;

type HistogramRow = readonly [unit: string, bounds: readonly number[], description: string];

const open: Map<string, NativeHistogram> = new Map();

/** Records a value where Deno was started with `OTEL_DENO=true`. */
export function record(
  name: keyof typeof histograms,
  { value, attributes }: { readonly value: number; readonly attributes: Attributes },
): void {
  if (!isTracing()) return;
  let histogram = open.get(name);
  if (histogram === undefined) {
    const [unit, explicitBucketBoundaries, description] = histograms[name];
    const options = { unit, description, advice: { explicitBucketBoundaries } };
    const { meterProvider } = Deno.telemetry as unknown as Telemetry;
    histogram = meterProvider.getMeter("fw.ai").createHistogram(name, options);
    open.set(name, histogram);
  }
  histogram.record(value, known(attributes));
}
