/** An OpenTelemetry collector that stores what it receives: OTLP over HTTP, as JSON. */
import { serveLocal } from "../serve_local.ts";

/** The members of a span that the suites read. */
export interface Span {
  readonly name: string;
  readonly traceId: string;
  /** 2 for a server. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, string>>;
  /** 2 for a failure. */
  readonly status: number;
  /** The exceptions as `name: message`. */
  readonly exceptions: readonly string[];
}

export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly Span[];
}

/** The members of OTLP in JSON that are read. */
interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface SentSpan extends Pick<Span, "name" | "traceId" | "kind"> {
  readonly attributes: readonly Attribute[];
  readonly events: readonly { readonly name: string; readonly attributes: readonly Attribute[] }[];
  readonly status: { readonly code: number };
}

interface Traces {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly SentSpan[] }[];
  }[];
}

function readAttributes(list: readonly Attribute[]): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value }) => [key, String(Object.values(value)[0])]));
}

function readSpan({ name, traceId, kind, attributes, events, status }: SentSpan): Span {
  const exceptions = events.filter((event) => event.name === "exception")
    .map((event) => readAttributes(event.attributes))
    .map((fields) => `${fields["exception.type"]}: ${fields["exception.message"]}`);
  const read = readAttributes(attributes);
  return { name, traceId, kind, attributes: read, status: status.code, exceptions };
}

export function startCollector(): Collector {
  const spans: Span[] = [];
  const server = serveLocal(async (request) => {
    const body = await request.text();
    if (request.url.endsWith("/v1/traces")) {
      const { resourceSpans } = JSON.parse(body) as Traces;
      for (const { scopeSpans } of resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans.map(readSpan));
      }
    }
    return Response.json({});
  });
  return {
    url: server.origin,
    spans,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
