import { errorFields, errorText, shortPartOf } from "../base/diagnose/error_text.ts";
import type { LogFields, Logger, LogLevel } from "../base/observe/logger.ts";
import {
  createLineSink,
  createLogGuard,
  guardSink,
  type LineBuffer,
  type LineSink,
} from "./log_sink.ts";

/** Options of {@link createLogger}. */
export interface LoggerOptions {
  /** One JSON object per line, or text for people. @default "json" */
  readonly format?: "json" | "text";
  /** The minimum level that is written. @default "info" */
  readonly level?: LogLevel;
  /** Writes the finished lines, each ending in a line break. @default standard output, buffered */
  readonly write?: (lines: string) => void;
  /**
   * Sends an error to an error tracker. Called with the `error` of each line of level error that has one, from
   * requests, jobs and mails alike, and with all fields of the line, such as `request_id`. What it throws is
   * ignored. @default none
   */
  readonly onError?: (error: unknown, fields: LogFields) => void;
}

const unreadable = "(unreadable)";
const weights: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** The framework's own logger: lines in one of two formats, written through a sink. */
export class LineLogger implements Logger {
  readonly isJson: boolean;
  readonly fields: LogFields;
  readonly #sink: LineSink;
  readonly #options: LoggerOptions;

  constructor(sink: LineSink, options: LoggerOptions, fields: LogFields = {}) {
    this.#sink = sink;
    this.#options = options;
    this.isJson = options.format !== "text";
    this.fields = fields;
  }

  debug(message: string, fields?: LogFields): void {
    this.#write("debug", message, fields);
  }

  info(message: string, fields?: LogFields): void {
    this.#write("info", message, fields);
  }

  warn(message: string, fields?: LogFields): void {
    this.#write("warn", message, fields);
  }

  error(message: string, fields?: LogFields): void {
    this.#write("error", message, fields);
  }

  with(fields: LogFields): Logger {
    return new LineLogger(this.#sink, this.#options, joinFields(this.fields, fields));
  }

  shows(level: LogLevel): boolean {
    return weights[level] >= weights[this.#options.level ?? "info"];
  }

  get buffer(): LineBuffer | undefined {
    return this.#sink.buffer;
  }

  #write(level: LogLevel, message: string, fields?: LogFields): void {
    if (!this.shows(level)) return;
    const all = fields === undefined ? this.fields : joinFields(this.fields, fields);
    this.#sink.write(this.isJson ? jsonLine(level, message, all) : textLine(level, message, all));
    if (level === "error") this.#report(all);
  }

  #report(fields: LogFields): void {
    const { error } = fields;
    try {
      if (error !== undefined) this.#options.onError?.(error, fields);
    } catch {
      // A tracker must fail neither a request nor the line that says why it failed.
    }
  }
}

/**
 * Creates the framework's own logger.
 *
 * @example
 * ```ts
 * import { assertStringIncludes } from "@std/assert";
 * import { createLogger } from "@fw/fw";
 *
 * let lines = "";
 * createLogger({ write: (text) => lines += text }).info("started", { port: 3000 });
 * assertStringIncludes(lines, '"msg":"started","port":3000');
 * ```
 */
export function createLogger(options: LoggerOptions = {}): Logger {
  const sink = options.write === undefined ? createLineSink() : guardSink(options.write);
  return new LineLogger(sink, options);
}

const guarded: WeakMap<Logger, Logger> = new WeakMap();

/** Returns a logger whose failures, for example of a full disk, do not fail requests. */
export function guardLogger(logger: Logger): Logger {
  // A setting of another type is refused later, and by a line of the log.
  if (logger instanceof LineLogger || Object(logger) !== logger) return logger;
  return guarded.getOrInsertComputed(logger, (given) => wrapLogger(given, createLogGuard()));
}

function wrapLogger(logger: Logger, attempt: ReturnType<typeof createLogGuard>): Logger {
  const write = (level: LogLevel): Logger[LogLevel] => (message, fields) =>
    attempt(() => logger[level](message, fields));
  return {
    debug: write("debug"),
    info: write("info"),
    warn: write("warn"),
    error: write("error"),
    with: (fields) => {
      let inner = logger;
      attempt(() => inner = logger.with(fields));
      return wrapLogger(inner, attempt);
    },
  };
}

/** Adds fields; a line must not fail because of a getter that throws. */
function joinFields(known: LogFields, fields: LogFields): LogFields {
  try {
    return { ...known, ...fields };
  } catch {
    return { ...known, fields: unreadable };
  }
}

let stampMs = -1;
let stamp = "";

/** Returns the current time in ISO 8601, formatted once per millisecond (`bench/http`). */
function timestamp(): string {
  const now = Date.now();
  if (now !== stampMs) {
    stampMs = now;
    stamp = new Date(now).toISOString();
  }
  return stamp;
}

function jsonLine(level: LogLevel, message: string, fields: LogFields): string {
  // Set twice: first for the order, then so that no field can replace one of them.
  const head = { time: timestamp(), level, msg: message };
  const line = { ...head, ...fields, ...head };
  try {
    return escapeJson(JSON.stringify(line, replaceForLog)) + "\n";
  } catch {
    // Circular values and throwing getters must not make a log line fail.
    const shown = Object.entries(line).map(([name, value]) => [name, readable(value)]);
    return escapeJson(JSON.stringify(Object.fromEntries(shown))) + "\n";
  }
}

function replaceForLog(_key: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  return value instanceof Error ? errorFields(value) : value;
}

function readable(value: unknown): unknown {
  try {
    const json = JSON.stringify(value, replaceForLog);
    return json === undefined ? undefined : JSON.parse(json);
  } catch {
    return unreadable;
  }
}

function textLine(level: LogLevel, message: string, fields: LogFields): string {
  const shown = hidden.test(message) ? inQuotes(message) : message;
  let line = `${timestamp().slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${shown}`;
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    if (value instanceof Error) {
      line += ` ${quote(name)}=${quote(shortPartOf(value, "message") ?? "")}`;
      stacks += `\n${escapeLines(errorText(value))}`.replaceAll("\n", "\n    ");
    } else {
      line += ` ${quote(name)}=${typeof value === "string" ? quote(value) : textOf(value)}`;
    }
  }
  return line + stacks + "\n";
}

function textOf(value: unknown): string {
  try {
    const json = JSON.stringify(value, replaceForLog);
    return json === undefined ? quote(String(value)) : escapeJson(json);
  } catch {
    return quote(unreadable);
  }
}

/** Returns a name or a value in quotes where it would be ambiguous; a line break never splits a line. */
function quote(text: string): string {
  return /^[^\s"=]+$/.test(text) && !hidden.test(text) ? text : inQuotes(text);
}

function inQuotes(text: string): string {
  return escapeJson(JSON.stringify(text));
}

/** Characters that a terminal interprets, that are invisible, or that some programs read as line breaks. */
const hidden = /[\p{Cc}\p{Cf}\u2028\u2029]/u;

/** The same, except for the tabs and line breaks of a stack. */
const hiddenInLines = /[^\P{Cc}\t\n]|[\p{Cf}\u2028\u2029]/gu;

/** A quick first test: most lines are ASCII and need no slow one. */
const beyondAscii = /[\x7f-\uffff]/;

/** Escapes hidden characters that JSON allows; the result is JSON of the same value. */
function escapeJson(json: string): string {
  return beyondAscii.test(json) ? json.replace(hiddenInLines, escapeUnits) : json;
}

/** Escapes a string of several lines, such as a stack. */
export function escapeLines(text: string): string {
  return text.replace(hiddenInLines, escapeUnits);
}

function escapeUnits(text: string): string {
  return text.replace(
    /[^]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
