/** The part of an OpenTelemetry span that is used (OpenTelemetry.js, `Span`). */
interface Span {
  spanContext(): { readonly traceId: string };
  setAttribute(name: string, value: string): unknown;
  updateName(name: string): unknown;
  recordException(error: Error): void;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
}

export interface Tracing {
  traceId(): string | undefined;
  nameSpan(method: string, pattern: string): void;
  recordError(error: unknown): void;
}

/** The key under which `@opentelemetry/api` registers itself; Deno does so when tracing is enabled. */
const registryKey = Symbol.for("opentelemetry.js.api.1");
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** The status of a span that failed (OpenTelemetry, `StatusCode`). */
const failed = 2;

/** Deno creates the spans, without route and error; `undefined` without `OTEL_DENO=true`. */
export function openTracing(): Tracing | undefined {
  if (!(registryKey in globalThis)) return undefined;
  const { contextManager } = Deno.telemetry;
  const activeSpan = (): Span | undefined => contextManager.active()?.getValue(spanKey);
  return {
    traceId: () => activeSpan()?.spanContext().traceId,
    nameSpan: (method, pattern) => {
      const span = activeSpan();
      span?.setAttribute("http.route", pattern);
      span?.updateName(`${method} ${pattern}`);
    },
    recordError: (error) => {
      const span = activeSpan();
      if (span === undefined) return;
      if (error instanceof Error) span.recordException(error);
      span.setStatus({ code: failed });
    },
  };
}
