import type { LogFields, Logger, LogLevel } from "../../../mod.ts";
import { LineLogger } from "../../../runtime/telemetry/log.ts";
import { LineBuffer } from "../../../runtime/telemetry/log_sink.ts";

export interface KeptLog {
  readonly logger: Logger;
  readonly read: () => string;
}

/** Creates a logger to bytes, like that of standard output, on which requests take the fast path. */
export function byteLog(fields: LogFields = {}, level: LogLevel = "info"): KeptLog {
  let text = "";
  const buffer = new LineBuffer({
    write: (bytes) => void (text += new TextDecoder().decode(bytes)),
    onWaiting: () => {},
  });
  const sink = { buffer, write: (lines: string) => buffer.text(lines) };
  const logger = new LineLogger(sink, { level }, fields);
  return { logger, read: () => (buffer.flush(), text) };
}
