import { type Config, Off } from "../base/config/config.ts";
import type { LogFields, Logger } from "../base/observe/logger.ts";
import { LineLogger } from "../telemetry/log.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { logPath } from "../request/log_path.ts";
import { type AccessEntry, type AccessLineWriter, createAccessLines } from "./access_line.ts";

export interface AccessLog {
  /** Whether it wants the time at which a request began: reading the clock costs (`bench/http`). */
  readonly isTimed: boolean;
  /** Writes the line of one request. */
  readonly write: (c: RequestCtx, status: number) => void;
  /** Writes the line of a probe or a scrape: one in a few seconds, which only a look for faults wants. */
  readonly writeProbe: (c: RequestCtx, status: number) => void;
}

/**
 * Creates the request log: one line per request that matched a route, with the concrete path and the matched
 * pattern, never with bodies, queries or cookies. A 5xx is always logged, what matched no route with `"all"`. In development unmatched requests
 * are logged at the level `debug`: in production any client could fill the log.
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
      // Without a route, a status below 400 is that of a file.
      if (isMissed && !isAll && (env !== "dev" || status < 400)) return;
      const durationMs = elapsedMs(c);
      if (status < 500 && decide !== undefined) {
        if (!isWanted(decide, { c, status, durationMs })) return;
      }
      const entry = { c, status, durationMs };
      if (isMissed && !isAll) return logger.debug("request", requestFields(entry));
      if (writeFast?.(entry) !== true) writeLine(logger, entry);
    },
    writeProbe: (c, status) => {
      if (logger instanceof LineLogger && !logger.shows("debug")) return;
      logger.debug("request", requestFields({ c, status, durationMs: elapsedMs(c) }));
    },
  };
}

/** Asks the application; where it fails, the line is written. */
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
  c.log.error("request", {
    method: c.method,
    path: logPath(c),
    route: c.route?.label ?? "",
    status,
  });
}

type LogRequest = Exclude<Config["logRequest"], typeof Off | "all" | undefined>;

/** Milliseconds with three decimals. */
function elapsedMs({ startMs, endMs }: RequestCtx): number {
  return Math.round((endMs - startMs) * 1_000) / 1_000;
}

/** Opens the writer of lines for the framework's own logger, if it writes JSON to standard output. */
function openFastLines(logger: Logger): AccessLineWriter | undefined {
  if (!(logger instanceof LineLogger) || !logger.isJson || logger.buffer === undefined) {
    return undefined;
  }
  const writer = createAccessLines(logger.buffer, logger.fields);
  if (logger.shows("info")) return writer;
  const isShown = logger.shows("error");
  return (entry) => (isShown && entry.status >= 500 ? writer?.(entry) ?? false : true);
}

function writeLine(logger: Logger, entry: AccessEntry): void {
  logger[entry.status >= 500 ? "error" : "info"]("request", requestFields(entry));
}

function requestFields({ c, status, durationMs }: AccessEntry): LogFields {
  const traceId = c.traceId;
  return {
    method: c.method,
    path: logPath(c),
    route: c.route?.label ?? "",
    status,
    duration_ms: durationMs,
    request_id: c.requestId,
    ...(traceId === undefined ? {} : { trace_id: traceId }),
  };
}
