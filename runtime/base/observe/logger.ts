/** The severity of a line. */
export type LogLevel = "debug" | "info" | "warn" | "error";

/** The fields of a log line besides its message; an `Error` is written with its stack and its causes. */
export type LogFields = Readonly<Record<string, unknown>>;

/** A structured logger: the type of `config.logger` and `c.log`. */
export interface Logger {
  /** Writes a line that only development shows. */
  debug(message: string, fields?: LogFields): void;
  /** Writes a line about normal operation. */
  info(message: string, fields?: LogFields): void;
  /** Writes a line about something that needs attention. */
  warn(message: string, fields?: LogFields): void;
  /** Writes a line about a failure. */
  error(message: string, fields?: LogFields): void;
  /** Returns a logger whose lines all carry these fields as well. */
  with(fields: LogFields): Logger;
}
