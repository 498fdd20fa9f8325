/** Takes finished lines. */
export interface LineSink {
  /** Takes one or more lines, each ending in a line break. */
  write(lines: string): void;
}

/** How much text waits for the end of the event loop's turn before it is written at once. */
const maxBufferedChars = 64 * 1_024;

const encoder = new TextEncoder();
let buffered = "";
let isScheduled = false;
let isHooked = false;

/**
 * A sink to standard output that writes once a turn of the event loop instead of once a line: a
 * system call a line costs a third of a small request (`bench/http`).
 */
export function createLineSink(): LineSink {
  if (!isHooked) {
    isHooked = true;
    // What is still buffered when the process ends, also by an uncaught error, must not be lost.
    globalThis.addEventListener("unload", flushLines);
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
  if (buffered.length > maxBufferedChars) return flushLines();
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(flushLines);
}

/** Writes what is buffered. */
export function flushLines(): void {
  isScheduled = false;
  if (buffered === "") return;
  let bytes = encoder.encode(buffered);
  buffered = "";
  try {
    while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
  } catch {
    // A closed pipe takes the log with it; the application goes on.
  }
}
