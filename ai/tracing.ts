/** The value of a span's attribute (OpenTelemetry, `AttributeValue`). */
export type AttributeValue = string | number | boolean | readonly string[];

/** Attributes by name; those that are `undefined` are left out. */
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>;

/** The part of an OpenTelemetry span that is used (OpenTelemetry.js, `Span`). */
interface NativeSpan {
  setAttribute(name: string, value: AttributeValue): unknown;
  recordException(error: Error): void;
  setStatus(status: { readonly code: number; readonly message?: string }): unknown;
  end(): void;
}

/** The part of an OpenTelemetry context that is used (OpenTelemetry.js, `Context`). */
interface NativeContext {
  setValue(key: symbol, value: unknown): NativeContext;
}

/** The part of Deno's telemetry that is used. */
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

/** What `@opentelemetry/api` registers itself by; Deno does so when it was told to trace. */
const registryKey = Symbol.for("opentelemetry.js.api.1");

/** What the active span has in its context, for every copy of `@opentelemetry/api`. */
const spanKey = Symbol.for("OpenTelemetry Context Key SPAN");

/** The kind of a span that calls another service (OpenTelemetry, `SpanKind.CLIENT`). */
const clientKind = 2;

/** The status of a span that failed (OpenTelemetry, `StatusCode.ERROR`). */
const failed = 2;

/** One operation in a trace. */
export interface Span {
  /** Runs a function whose own spans are children of this one. */
  run<R>(fn: () => R): R;
  /** Adds what is known only now. */
  add(attributes: Attributes): void;
  /** Marks the operation as failed. */
  fail(error: unknown, type: string): void;
  /** Ends the operation. */
  end(): void;
}

/** What a span needs to know when it begins. */
export interface SpanOptions {
  /** Whether it calls another service. @default false */
  readonly isClient?: boolean;
  /** What is known already. */
  readonly attributes: Attributes;
}

const noSpan: Span = { run: (fn) => fn(), add: () => {}, fail: () => {}, end: () => {} };

/**
 * Starts a span with the names of the OpenTelemetry conventions for generative AI, where Deno was started
 * with `OTEL_DENO=true`; elsewhere the span does nothing. Prompts and answers stay out of it.
 */
export function startSpan(name: string, { isClient = false, attributes }: SpanOptions): Span {
  if (!(registryKey in globalThis)) return noSpan;
  const { tracerProvider, contextManager } = Deno.telemetry as unknown as Telemetry;
  const native = tracerProvider.getTracer("fw.ai").startSpan(name, {
    ...(isClient ? { kind: clientKind } : {}),
    attributes: known(attributes),
  });
  const context = contextManager.active().setValue(spanKey, native);
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
    end: () => native.end(),
  };
}

/** Keeps the context of the caller for a function that runs later, such as the steps of a generator. */
export function captureContext(): <R>(fn: () => R) => R {
  if (!(registryKey in globalThis)) return (fn) => fn();
  const { contextManager } = Deno.telemetry as unknown as Telemetry;
  const context = contextManager.active();
  return (fn) => contextManager.with(context, fn);
}

function known(attributes: Attributes): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(attributes).filter((entry): entry is [string, AttributeValue] =>
      entry[1] !== undefined
    ),
  );
}
