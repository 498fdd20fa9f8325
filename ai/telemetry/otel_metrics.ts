import { type Attributes, isTracing, known } from "./tracing.ts";

interface Telemetry {
  readonly meterProvider: {
    getMeter(name: string): { createHistogram(name: string, options: object): NativeHistogram };
  };
}

interface NativeHistogram {
  record(value: number, attributes: object): void;
}

interface HistogramOptions {
  readonly unit: string;
  readonly description: string;
  readonly bounds: readonly number[];
}

const mcpBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const chatBounds = Array.from({ length: 14 }, (_, power) => 0.01 * 2 ** power);
const tokenBounds = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The histograms of the OpenTelemetry conventions for generative AI and MCP that are recorded. */
const histograms = {
  "gen_ai.client.operation.duration": {
    unit: "s",
    description: "How long models took to answer.",
    bounds: chatBounds,
  },
  "gen_ai.client.token.usage": {
    unit: "{token}",
    description: "Tokens of models.",
    bounds: tokenBounds,
  },
  "mcp.client.session.duration": {
    unit: "s",
    description: "How long sessions with servers lasted.",
    bounds: mcpBounds,
  },
  "mcp.server.session.duration": {
    unit: "s",
    description: "How long sessions of clients lasted.",
    bounds: mcpBounds,
  },
  "mcp.client.operation.duration": {
    unit: "s",
    description: "How long servers took to answer.",
    bounds: mcpBounds,
  },
  "mcp.server.operation.duration": {
    unit: "s",
    description: "How long requests took.",
    bounds: mcpBounds,
  },
} satisfies Readonly<Record<string, HistogramOptions>>;

const open: Map<string, NativeHistogram> = new Map();

/** Records a value where Deno was started with `OTEL_DENO=true`. */
export function record(
  name: keyof typeof histograms,
  { value, attributes }: { readonly value: number; readonly attributes: Attributes },
): void {
  if (!isTracing()) return;
  let histogram = open.get(name);
  if (histogram === undefined) {
    const { unit, description, bounds: explicitBucketBoundaries } = histograms[name];
    const { meterProvider } = Deno.telemetry as unknown as Telemetry;
    const advice = { explicitBucketBoundaries };
    histogram = meterProvider.getMeter("fw.ai").createHistogram(name, {
      unit,
      description,
      advice,
    });
    open.set(name, histogram);
  }
  histogram.record(value, known(attributes));
}
