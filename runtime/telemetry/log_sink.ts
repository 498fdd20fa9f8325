import { LineBuffer } from "./line_buffer.ts";

export interface LineSink {
  /** Writes one or more lines, each ending in a line break. */
  write(lines: string): void;
  /** The buffer for lines built as bytes; absent if the sink accepts only text. */
  readonly buffer?: LineBuffer;
}

/** The buffering time of lines while {@link batchLines} is active, in milliseconds. */
const batchMs = 50;

/** The maximum number of retries on a full output, one per millisecond. */
const maxTries = 5_000;

const sleeper = new Int32Array(new SharedArrayBuffer(4));
const buffer = new LineBuffer({ write: writeAll, onWaiting: scheduleFlush });
const stdout: LineSink = { buffer, write: (lines) => buffer.text(lines) };
let isScheduled = false;
let isHooked = false;
let isFailing = false;
let isLostTold = false;
let batchers = 0;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Creates a sink to standard output that writes once per turn of the event loop instead of once per
 * line: a system call per line costs a third of a small request (`bench/http`).
 */
export function createLineSink(): LineSink {
  if (!isHooked) {
    isHooked = true;
    // What is still buffered when the process ends must not be lost; an uncaught error ends it unheard.
    globalThis.addEventListener("unload", flushLines);
    globalThis.addEventListener("error", flushFailing);
    globalThis.addEventListener("unhandledrejection", flushFailing);
  }
  return stdout;
}

/**
 * Batches lines briefly: under load one turn of the event loop has few of them, and the system call costs
 * more than the rest of a line (`bench/http`). Buffered lines are lost only if the process is killed
 * without notice.
 */
export function batchLines(): () => void {
  batchers++;
  return () => {
    batchers--;
    clearTimeout(timer);
    flushLines();
  };
}

/** Wraps a log function of the application: if it fails, the request continues without its line. */
export function guardSink(write: (lines: string) => void): LineSink {
  let isTold = false;
  return {
    write(lines: string): void {
      try {
        write(lines);
      } catch (error) {
        if (!isTold) console.error("Cannot write the log:", error);
        isTold = true;
      }
    },
  };
}

function scheduleFlush(): void {
  if (isFailing) return flushLines();
  if (isScheduled) return;
  isScheduled = true;
  if (batchers > 0) timer = setTimeout(flushLines, batchMs);
  else setImmediate(flushLines);
}

/** Writes what is buffered, including what other listeners log about an uncaught error. */
function flushFailing(): void {
  flushLines();
  isFailing = true;
  setImmediate(() => isFailing = false);
}

export function flushLines(): void {
  isScheduled = false;
  buffer.flush();
}

function writeAll(bytes: Uint8Array): void {
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSome(rest));
  } catch (error) {
    // A closed pipe or a full disk loses the log; the application continues.
    tellLost(error);
  }
}

/** Reports once that the log cannot be written: it would go unnoticed otherwise. */
function tellLost(error: unknown): void {
  if (isLostTold) return;
  isLostTold = true;
  const reason = error instanceof Error ? error.message : String(error);
  try {
    console.error(`Cannot write the log to standard output: ${reason}; its lines are lost.`);
  } catch {
    // Standard error is gone as well.
  }
}

/** Writes as much as the output takes; where it takes nothing for seconds, it throws. */
function writeSome(bytes: Uint8Array): number {
  for (let tries = 0;; tries++) {
    try {
      return Deno.stdout.writeSync(bytes);
    } catch (error) {
      // A pipe that another process made non-blocking is full. Any other one would wait by itself.
      if (!(error instanceof Deno.errors.WouldBlock) || tries === maxTries) throw error;
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}
