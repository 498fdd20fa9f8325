export type AttributeValue = string | number | boolean | readonly string[];

export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** The part of an OpenTelemetry span that is used (OpenTelemetry.js, `Span`). */
interface NativeSpan {
  spanContext(): SpanPlace;
  setAttribute(name: string, value: AttributeValue): unknown;
  recordException(error: Error): void;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

interface SpanPlace {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

interface NativeContext {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): NativeContext;
}

interface Telemetry {
  readonly tracerProvider: {
    getTracer(name: string): {
      startSpan(name: string, options: object, context?: NativeContext): NativeSpan;
    };
  };
  readonly contextManager: {
    active(): NativeContext;
    with<R>(context: NativeContext, fn: () => R): R;
  };
}

/** The key under which `@opentelemetry/api` registers itself; Deno does so if tracing is on. */
const registryKey = Symbol.for("opentelemetry.js.api.1");

/** The key of the active span in its context, for every copy of `@opentelemetry/api`. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

const toolKey = Symbol("fw.ai tool span");

const kinds = { internal: 0, server: 1, client: 2 } as const;

const failed = 2;

export interface Span {
  run<R>(fn: () => R): R;
  add(attributes: Attributes): void;
  fail(error: unknown, type: string): void;
  end(): void;
  /** The operation's `traceparent` for a service that it calls (W3C Trace Context). */
  readonly traceparent: string | undefined;
}

export interface SpanOptions {
  /** Whether it calls another service, or answers one. @default "internal" */
  readonly kind?: keyof typeof kinds;
  /** Whether it is the call of a tool, which a client of the Model Context Protocol joins. */
  readonly isTool?: boolean;
  /** The caller's `traceparent`; the active span is then linked. */
  readonly traceparent?: unknown;
  readonly attributes: Attributes;
}

export const noSpan: Span = {
  run: (fn) => fn(),
  add: () => {},
  fail: () => {},
  end: () => {},
  traceparent: undefined,
};

/** Reports whether Deno was started with `OTEL_DENO=true`. */
export function isTracing(): boolean {
  return registryKey in globalThis;
}

/**
 * Starts a span with the names of the OpenTelemetry conventions for generative AI, where Deno was started
 * with `OTEL_DENO=true`; elsewhere the span does nothing. Prompts and answers stay out of it.
 */
export function startSpan(
  name: string,
  { kind = "internal", isTool = false, traceparent, attributes }: SpanOptions,
): Span {
  if (!isTracing()) return noSpan;
  const { tracerProvider, contextManager } = Deno.telemetry as unknown as Telemetry;
  const active = contextManager.active();
  const remote = parseTraceparent(traceparent);
  const ambient = active.getValue(spanKey) as NativeSpan | undefined;
  const isLinked = remote !== undefined && ambient !== undefined;
  const native = tracerProvider.getTracer("fw.ai").startSpan(
    name,
    {
      kind: kinds[kind],
      attributes: known(attributes),
      ...(isLinked ? { links: [{ context: ambient.spanContext() }] } : {}),
    },
    remote === undefined ? active : active.setValue(spanKey, { spanContext: () => remote }),
  );
  const context = active.setValue(spanKey, native);
  return spanOf(native, {
    context: isTool ? context.setValue(toolKey, native) : context,
    end: () => native.end(),
  });
}

export function activeToolSpan(): Span | undefined {
  if (!isTracing()) return undefined;
  const { contextManager } = Deno.telemetry as unknown as Telemetry;
  const context = contextManager.active();
  const native = context.getValue(toolKey) as NativeSpan | undefined;
  return native === undefined ? undefined : spanOf(native, { context, end: () => {} });
}

function spanOf(
  native: NativeSpan,
  { context, end }: { readonly context: NativeContext; readonly end: () => void },
): Span {
  const { contextManager } = Deno.telemetry as unknown as Telemetry;
  const { traceId, spanId, traceFlags } = native.spanContext();
  return {
    run: (fn) => contextManager.with(context, fn),
    add: (more) => {
      for (const [key, value] of Object.entries(known(more))) native.setAttribute(key, value);
    },
    fail: (error, type) => {
      native.setAttribute("error.type", type);
      if (error instanceof Error) native.recordException(error);
      native.setStatus({ code: failed });
    },
    end,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
  };
}

const traceparentForm =
  /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;

/** Parses where a caller is in its trace; `undefined` for anything malformed (W3C Trace Context, 3.2). */
function parseTraceparent(value: unknown): (SpanPlace & { readonly isRemote: true }) | undefined {
  if (typeof value !== "string" || value.length > maxTraceparentChars) return undefined;
  const [, traceId, spanId, flags] = traceparentForm.exec(value) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

const maxTraceparentChars = 512;

/** Keeps the context of the caller for a function that runs later, such as the steps of a generator. */
export function captureContext(): <R>(fn: () => R) => R {
  if (!isTracing()) return (fn) => fn();
  const { contextManager } = Deno.telemetry as unknown as Telemetry;
  const context = contextManager.active();
  return (fn) => contextManager.with(context, fn);
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

export function known(attributes: Attributes): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, AttributeValue] =>
      entry[1] !== undefined
    ),
  );
}
