/** Takes finished lines. */
export interface LineSink {
  /** Takes one or more lines, each ending in a line break. */
  write(lines: string): void;
}

/** How much text waits for the end of the event loop's turn before it is written at once. */
const maxBufferedChars = 64 * 1_024;

/** How often a full output is tried again, once a millisecond. */
const maxTries = 5_000;

const encoder = new TextEncoder();
const sleeper = new Int32Array(new SharedArrayBuffer(4));
let buffered = "";
let isScheduled = false;
let isHooked = false;
let isFailing = false;

/**
 * A sink to standard output that writes once a turn of the event loop instead of once a line: a
 * system call a line costs a third of a small request (`bench/http`).
 */
export function createLineSink(): LineSink {
  if (!isHooked) {
    isHooked = true;
    // What is still buffered when the process ends must not be lost; an uncaught error ends it unheard.
    globalThis.addEventListener("unload", flushLines);
    globalThis.addEventListener("error", flushFailing);
    globalThis.addEventListener("unhandledrejection", flushFailing);
  }
  return { write: writeBuffered };
}

/** A sink over a function of the application: where it fails, the request goes on without its line. */
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

function writeBuffered(lines: string): void {
  buffered += lines;
  if (isFailing || buffered.length > maxBufferedChars) return flushLines();
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(flushLines);
}

/** Writes what is buffered, and what the other listeners to an error that nobody caught say of it. */
function flushFailing(): void {
  flushLines();
  isFailing = true;
  setImmediate(() => isFailing = false);
}

/** Writes what is buffered. */
export function flushLines(): void {
  isScheduled = false;
  if (buffered === "") return;
  let bytes = encoder.encode(buffered);
  buffered = "";
  try {
    while (bytes.length > 0) bytes = bytes.subarray(writeSome(bytes));
  } catch {
    // A closed pipe takes the log with it; the application goes on.
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
