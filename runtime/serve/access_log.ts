import { type Config, Off } from "../base/config.ts";
import { LineLogger, type Logger, timestamp } from "../base/log.ts";
import type { RequestContext } from "../request/ctx.ts";

/** Writes the line of one answered request. */
export type AccessLog = (c: RequestContext, status: number) => void;

/**
 * Makes the request log: one line a request that matched a route, with the concrete path and the
 * matched pattern, never with bodies, queries or cookies. A 5xx is always logged.
 *
 * @returns `undefined` when the log is off, so that the pipeline need not take the time.
 */
export function createAccessLog(config: Config, logger: Logger): AccessLog | undefined {
  const { logRequest } = config;
  if (logRequest === Off) {
    return (c, status) => {
      if (status >= 500) writeGeneric(logger, { c, status, durationMs: elapsedMs(c.startMs) });
    };
  }
  const write = logger instanceof LineLogger && logger.isJson
    ? (entry: Entry) => writeJson(logger, entry)
    : (entry: Entry) => writeGeneric(logger, entry);
  return (c, status) => {
    if (c.route === undefined && status < 500) return;
    const durationMs = elapsedMs(c.startMs);
    if (logRequest !== undefined && status < 500 && !logRequest(c, status, durationMs)) return;
    write({ c, status, durationMs });
  };
}

interface Entry {
  readonly c: RequestContext;
  readonly status: number;
  readonly durationMs: number;
}

/** Milliseconds with three decimals. */
function elapsedMs(startMs: number): number {
  return Math.round((performance.now() - startMs) * 1_000) / 1_000;
}

function writeGeneric(logger: Logger, entry: Entry): void {
  const { c, status, durationMs } = entry;
  const traceId = c.traceId;
  logger[status >= 500 ? "error" : "info"]("request", {
    method: c.method,
    path: c.rawPath,
    route: c.pattern,
    status,
    duration_ms: durationMs,
    request_id: c.requestId,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  });
}

/** Builds the line by hand: `JSON.stringify` of an object takes three times as long (`bench/http`). */
function writeJson(logger: LineLogger, entry: Entry): void {
  const { c, status, durationMs } = entry;
  const isError = status >= 500;
  if (!logger.shows(isError ? "error" : "info")) return;
  const traceId = c.traceId;
  logger.writeLine(
    `{"time":"${timestamp()}","level":"${isError ? "error" : "info"}","msg":"request","method":"${
      quoted(c.method)
    }","path":"${quoted(c.rawPath)}","route":"${
      quoted(c.pattern)
    }","status":${status},"duration_ms":${durationMs},"request_id":"${c.requestId}"${
      traceId === undefined ? "" : `,"trace_id":"${traceId}"`
    }}\n`,
  );
}

/** The inside of a JSON string. */
function quoted(text: string): string {
  return /["\\\p{Cc}\p{Cs}]/u.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}
