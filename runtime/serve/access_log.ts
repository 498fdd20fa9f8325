import { type Config, Off } from "../base/config.ts";
import { LineLogger, type LogFields, type Logger, timestamp } from "../base/log.ts";
import type { RequestContext } from "../request/ctx.ts";

/** The request log. */
export interface AccessLog {
  /** Whether it wants the time at which a request began: reading the clock costs (`bench/http`). */
  readonly isTimed: boolean;
  /** Writes the line of one answered request. */
  readonly write: (c: RequestContext, status: number) => void;
  /** Writes the line of a probe or a scrape: one in a few seconds, which only a look for faults wants. */
  readonly writeProbe: (c: RequestContext, status: number) => void;
}

/**
 * Makes the request log: one line a request that matched a route, with the concrete path and the
 * matched pattern, never with bodies, queries or cookies. A 5xx is always logged.
 */
export function createAccessLog(config: Config, logger: Logger): AccessLog {
  const { logRequest } = config;
  if (logRequest === Off) return { isTimed: false, write: writeFailure, writeProbe: () => {} };
  const write = logger instanceof LineLogger && logger.isJson
    ? (entry: Entry) => writeJson(logger, entry)
    : (entry: Entry) => writeGeneric(logger, entry);
  return {
    isTimed: true,
    write: (c, status) => {
      if (status < 500 && (c.route === undefined || c.isExport)) return;
      const durationMs = elapsedMs(c.startMs);
      if (status < 500 && logRequest !== undefined) {
        if (!isWanted(logRequest, { c, status, durationMs })) return;
      }
      write({ c, status, durationMs });
    },
    writeProbe: (c, status) => {
      if (logger instanceof LineLogger && !logger.shows("debug")) return;
      logger.debug("request", requestFields({ c, status, durationMs: elapsedMs(c.startMs) }));
    },
  };
}

/** Asks the application; where it fails, the line is written. */
function isWanted(logRequest: LogRequest, { c, status, durationMs }: Entry): boolean {
  try {
    return logRequest(c, status, durationMs);
  } catch (error) {
    c.log.error("config.logRequest failed", { error });
    return true;
  }
}

/** The line of a 5xx where the log is off. */
function writeFailure(c: RequestContext, status: number): void {
  if (status < 500) return;
  c.log.error("request", { method: c.method, path: c.rawPath, route: c.pattern, status });
}

type LogRequest = Exclude<Config["logRequest"], typeof Off | undefined>;

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
  logger[entry.status >= 500 ? "error" : "info"]("request", requestFields(entry));
}

function requestFields({ c, status, durationMs }: Entry): LogFields {
  const traceId = c.traceId;
  return {
    method: c.method,
    path: c.rawPath,
    route: c.pattern,
    status,
    duration_ms: durationMs,
    request_id: c.requestId,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  };
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
