import { type Config, Off } from "../base/config/config.ts";
import type { MatchedRoute } from "../base/ctx/target.ts";
import { isRequestId, parseTraceId } from "../base/headers.ts";
import type { LogFields, Logger } from "../base/observe/logger.ts";
import { LineLogger } from "../telemetry/log.ts";
import type { LineBuffer } from "../telemetry/log_sink.ts";
import { logPath, type RequestCtx, type RequestIds } from "../request/request_ctx.ts";

export interface AccessLog {
  /** Whether it needs the start time of a request: reading the clock is costly (`bench/http`). */
  readonly isTimed: boolean;
  readonly write: (c: RequestCtx, status: number) => void;
  /** Logs probes and scrapes, which come every few seconds, at debug level. */
  readonly writeProbe: (c: RequestCtx, status: number) => void;
}

/**
 * Creates the request log: one line per request that matched a route, with the concrete path and the matched
 * pattern, never with bodies, queries or cookies. A 5xx is always logged, a request without a route only with
 * `"all"`: any client could fill the log with those. Development logs them at debug level.
 */
export function createAccessLog(config: Config, logger: Logger): AccessLog {
  const { logRequest, env } = config;
  if (logRequest === Off) return { isTimed: false, write: writeFailure, writeProbe: () => {} };
  const isAll = logRequest === "all";
  const decide = typeof logRequest === "function" ? logRequest : undefined;
  const writeFast = openFastLines(logger);
  return {
    isTimed: true,
    write: (c, status) => {
      const isMissed = status < 500 && c.route === undefined;
      if (status < 500 && c.isExport) return;
      // Without a route, a status below 400 is a file's.
      if (isMissed && !isAll && (env !== "dev" || status < 400)) return;
      // Milliseconds with three decimals.
      c.endMs ||= performance.now();
      const durationMs = Math.round((c.endMs - c.startMs) * 1_000) / 1_000;
      if (status < 500 && decide !== undefined) {
        if (!isWanted(decide, { c, status, durationMs })) return;
      }
      const entry = { c, status, durationMs };
      if (isMissed && !isAll) return logger.debug("request", requestFields(entry));
      if (writeFast?.(entry) !== true) {
        logger[status >= 500 ? "error" : "info"]("request", requestFields(entry));
      }
    },
    writeProbe: (c, status) => {
      if (logger instanceof LineLogger && !logger.shows("debug")) return;
      c.endMs ||= performance.now();
      const durationMs = Math.round((c.endMs - c.startMs) * 1_000) / 1_000;
      logger.debug("request", requestFields({ c, status, durationMs }));
    },
  };
}

/** Calls the application's filter; if it fails, the line is written. */
function isWanted(logRequest: LogRequest, { c, status, durationMs }: AccessEntry): boolean {
  try {
    return logRequest(c, status, durationMs);
  } catch (error) {
    c.log.error("config.logRequest failed", { error });
    return true;
  }
}

/** Writes the line of a 5xx when the log is off. */
function writeFailure(c: RequestCtx, status: number): void {
  if (status < 500) return;
  const { method, route } = c;
  c.log.error("request", { method, path: logPath(c), route: route?.label ?? "", status });
}

type LogRequest = Exclude<Config["logRequest"], typeof Off | "all" | undefined>;

/** Opens the writer of lines for the framework's own logger, if it writes JSON to standard output. */
function openFastLines(logger: Logger): LineWriter | undefined {
  if (!(logger instanceof LineLogger) || !logger.isJson || logger.buffer === undefined) {
    return undefined;
  }
  const writer = createAccessLines(logger.buffer, logger.fields);
  if (logger.shows("info")) return writer;
  const isShown = logger.shows("error");
  return (entry) => (isShown && entry.status >= 500 ? writer?.(entry) ?? false : true);
}

function requestFields({ c, status, durationMs }: AccessEntry): LogFields {
  const { requestId, traceId } = c.ids;
  return {
    method: c.method,
    path: logPath(c),
    route: c.route?.label ?? "",
    status,
    duration_ms: durationMs,
    request_id: requestId,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  };
}

export interface AccessEntry {
  readonly c: RequestCtx;
  readonly status: number;
  readonly durationMs: number;
}

export type LineWriter = (entry: AccessEntry) => boolean;

interface Frame {
  readonly method: string;
  readonly status: number;
  readonly beforePath: Uint8Array;
  readonly afterPath: Uint8Array;
}

/** The maximum bytes of a line except its path and its frame: time, duration, ids. */
const maxOtherBytes = 512;
const encoder = new TextEncoder();
const beforeId = encoder.encode(',"request_id":"');
const beforeTrace = encoder.encode('","trace_id":"');
const lineEnd = encoder.encode('"}\n');
const zero = 0x30;

/** Joins the bytes of prepared parts: building and encoding a string per request costs twice as much. */
export function createAccessLines(buffer: LineBuffer, fields: LogFields): LineWriter | undefined {
  const ownFields = formatFields(fields);
  if (ownFields === undefined) return undefined;
  const frames = new Map<MatchedRoute, Frame[]>();
  const clock = new StampClock();
  return ({ c, status, durationMs }) => {
    const { route, method } = c;
    if (route === undefined) return false;
    // A route has few methods and statuses.
    let known = frames.get(route);
    if (known === undefined) frames.set(route, known = []);
    let frame: Frame | undefined;
    for (const each of known) if (each.status === status && each.method === method) frame = each;
    if (frame === undefined) {
      frame = createFrame(route, { method, status, ownFields });
      if (frame === undefined) return false;
      known.push(frame);
    }
    const { requestId, traceId } = c.ids;
    const { url, pathStart, pathEnd } = c.target;
    const { beforePath, afterPath } = frame;
    const length = beforePath.length + afterPath.length + pathEnd - pathStart + maxOtherBytes;
    if (!buffer.beginLine(length)) return false;
    buffer.block(clock.read(c.endMs));
    buffer.block(beforePath);
    if (!buffer.jsonPart(url, pathStart, pathEnd)) return false;
    buffer.block(afterPath);
    buffer.millis(durationMs);
    buffer.block(beforeId);
    buffer.jsonPart(requestId, 0, requestId.length);
    if (traceId !== undefined) {
      buffer.block(beforeTrace);
      buffer.jsonPart(traceId, 0, traceId.length);
    }
    buffer.block(lineEnd);
    buffer.endLine();
    return true;
  };
}

/** The start of a line, up to its time. */
class StampClock {
  #endMs = -1;
  #second = -1;
  #bytes: Uint8Array = new Uint8Array(0);

  /**
   * @param endMs The time of the monotonic clock, which shows at no cost whether the wall clock has moved on.
   */
  read(endMs: number): Uint8Array {
    const wholeMs = Math.floor(endMs);
    if (wholeMs === this.#endMs) return this.#bytes;
    this.#endMs = wholeMs;
    const nowMs = Date.now();
    const second = Math.floor(nowMs / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#bytes = encoder.encode(`{"time":"${new Date(nowMs).toISOString()}`);
      return this.#bytes;
    }
    // Rewriting the whole text each millisecond costs as much as several lines (`bench/http`).
    const bytes = this.#bytes;
    const millis = nowMs - second * 1_000;
    const end = bytes.length - 1;
    bytes[end - 3] = zero + Math.floor(millis / 100);
    bytes[end - 2] = zero + Math.floor(millis / 10) % 10;
    bytes[end - 1] = zero + millis % 10;
    return bytes;
  }
}

const lineFields = /^(?:time|level|msg|method|path|route|status|duration_ms|request_id|trace_id)$/;

/** Formats fields as JSON members, each with a comma; `undefined` if a value may change. */
function formatFields(fields: LogFields): string | undefined {
  let text = "";
  for (const [name, value] of Object.entries(fields)) {
    const isFixed = /^(?:string|number|boolean)$/.test(typeof value);
    if (!isFixed || lineFields.test(name)) return undefined;
    text += `${JSON.stringify(name)}:${JSON.stringify(value)},`;
  }
  return text;
}

/** Creates the frame of a line; `undefined` for non-standard methods, to keep the set of frames bounded. */
function createFrame(
  route: MatchedRoute,
  { method, status, ownFields }: Pick<Frame, "method" | "status"> & { readonly ownFields: string },
): Frame | undefined {
  // Its path needs redaction.
  if (route.secretSegments !== undefined) return undefined;
  if (!/^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method)) return undefined;
  const level = status >= 500 ? "error" : "info";
  return {
    method,
    status,
    beforePath: encoder.encode(
      `","level":"${level}","msg":"request",${ownFields}"method":"${method}","path":"`,
    ),
    afterPath: encoder.encode(
      `","route":${JSON.stringify(route.label)},"status":${status},"duration_ms":`,
    ),
  };
}

const processPart = crypto.randomUUID().replaceAll("-", "").slice(0, 12);

/** The last two base-36 digits of an id, computed once. */
const endings: string[] = [];
const endingCount = 1_296;

let beginning = "";
let rounds = -1;
let next = endingCount;

/**
 * Reads the ids of a request together, because accessing the headers is costly. A new id is cheap, unique
 * across processes and not secret; a random UUID costs several times as much (`bench/http`).
 */
export function findIds(request: Request, tracing: Tracing | undefined): RequestIds {
  let brought: string | null = null;
  let parent: string | null = null;
  try {
    const { headers } = request;
    brought = headers.get("x-request-id");
    parent = headers.get("traceparent");
  } catch {
    // After a WebSocket upgrade the request is gone, but the log line is still written.
  }
  const traceId = (parent === null ? undefined : parseTraceId(parent)) ?? tracing?.traceId();
  if (brought !== null && isRequestId(brought)) {
    return { requestId: brought, traceId, isBrought: true };
  }
  if (next === endingCount) {
    next = 0;
    rounds += 1;
    beginning = `${processPart}-${rounds.toString(36).padStart(4, "0")}`;
  }
  const ending = endings[next] ??= next.toString(36).padStart(2, "0");
  next++;
  return { requestId: beginning + ending, traceId, isBrought: false };
}

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

/** Adds route and error to the spans that Deno creates; `undefined` without `OTEL_DENO=true`. */
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
