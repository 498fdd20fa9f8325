/** The size of the buffer in bytes; when full, it is written immediately. */
const capacity = 64 * 1_024;

const maxBytesPerUnit = 3;
const space = 0x20;
const quote = 0x22;
const zero = 0x30;
const backslash = 0x5c;
const tilde = 0x7e;
const encoder = new TextEncoder();

interface BufferOptions {
  /** Writes the bytes; the buffer is reused afterwards. */
  readonly write: (bytes: Uint8Array) => void;
  /** Called when there are pending bytes, once until {@link LineBuffer.flush}. */
  readonly onWaiting: () => void;
}

/** Encodes lines immediately: joining them into a longer string first costs more (`bench/http`). */
export class LineBuffer {
  readonly #options: BufferOptions;
  readonly #bytes = new Uint8Array(capacity);
  #start = 0;
  #end = 0;
  #isTold = false;

  constructor(options: BufferOptions) {
    this.#options = options;
  }

  text(lines: string): void {
    const most = lines.length * maxBytesPerUnit;
    if (most > capacity) {
      this.flush();
      this.#options.write(encoder.encode(lines));
      return;
    }
    if (this.#end + most > capacity) this.flush();
    this.#end += encoder.encodeInto(lines, this.#bytes.subarray(this.#end)).written;
    this.endLine();
  }

  /** Begins a line; returns whether one of that length fits. */
  beginLine(maxBytes: number): boolean {
    if (maxBytes > capacity) return false;
    if (this.#end + maxBytes > capacity) this.flush();
    this.#start = this.#end;
    return true;
  }

  block(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.#end);
    this.#end += bytes.length;
  }

  /** Adds a part that needs no escaping; otherwise discards the line and returns false. */
  jsonPart(text: string, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = this.#end;
    for (let index = start; index < end; index++) {
      const code = text.charCodeAt(index);
      if (code < space || code > tilde || code === quote || code === backslash) {
        this.#end = this.#start;
        return false;
      }
      bytes[at++] = code;
    }
    this.#end = at;
    return true;
  }

  /** Adds milliseconds with three decimals: finding the shortest form of a number takes much longer. */
  millis(durationMs: number): void {
    const micros = Math.max(0, Math.round(durationMs * 1_000));
    const whole = Math.floor(micros / 1_000);
    const rest = micros - whole * 1_000;
    const bytes = this.#bytes;
    if (whole < 10) bytes[this.#end++] = zero + whole;
    else for (const digit of String(whole)) bytes[this.#end++] = zero + Number(digit);
    bytes[this.#end++] = 0x2e;
    bytes[this.#end++] = zero + Math.floor(rest / 100);
    bytes[this.#end++] = zero + Math.floor(rest / 10) % 10;
    bytes[this.#end++] = zero + rest % 10;
  }

  endLine(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#options.onWaiting();
  }

  /** Writes the buffered bytes; bound, because timers call it. */
  readonly flush = (): void => {
    this.#isTold = false;
    const end = this.#end;
    if (end === 0) return;
    this.#end = 0;
    this.#options.write(this.#bytes.subarray(0, end));
  };
}

export interface LineSink {
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
export const flushLines: () => void = buffer.flush;
const stdout: LineSink = { buffer, write: (lines) => buffer.text(lines) };
let isHooked = false;
let isFailing = false;
let isLostTold = false;
let batchers = 0;
/** The remaining flushes without a timer: the platform's timers add 5 ms to a start (`bench/start`). */
let earlyFlushes = 16;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Creates a sink that writes once per event loop turn: a call per line costs a third of a small request. */
export function createLineSink(): LineSink {
  if (!isHooked) {
    isHooked = true;
    // Buffered lines must not be lost when the process ends; an uncaught error fires no `unload`.
    globalThis.addEventListener("unload", flushLines);
    globalThis.addEventListener("error", flushFailing);
    globalThis.addEventListener("unhandledrejection", flushFailing);
  }
  return stdout;
}

/**
 * Batches lines briefly: under load a turn of the event loop has few lines, and the system call costs more
 * than the rest of a line (`bench/http`). Buffered lines are lost only if the process is killed without
 * notice.
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
  const attempt = createLogGuard();
  return { write: (lines) => attempt(() => write(lines)) };
}

/** Returns a function that calls another one and prints the first error, thrown or rejected. */
export function createLogGuard(): (write: () => unknown) => void {
  let isTold = false;
  const tell = (error: unknown): void => {
    if (!isTold) console.error("Cannot write the log:", error);
    isTold = true;
  };
  return (write) => {
    try {
      const done = write();
      if (done instanceof Promise) done.catch(tell);
    } catch (error) {
      tell(error);
    }
  };
}

function scheduleFlush(): void {
  if (isFailing) return flushLines();
  if (earlyFlushes > 0) {
    earlyFlushes--;
    queueMicrotask(flushLines);
  } else if (batchers > 0) timer = setTimeout(flushLines, batchMs);
  else setImmediate(flushLines);
}

/** Writes the buffered lines, including those of other listeners about an uncaught error. */
function flushFailing(): void {
  flushLines();
  isFailing = true;
  setImmediate(() => isFailing = false);
}

/** Writes all bytes, in as many steps as the output needs. */
function writeAll(bytes: Uint8Array): void {
  let rest = bytes;
  for (let tries = 0; rest.length > 0;) {
    try {
      rest = rest.subarray(Deno.stdout.writeSync(rest));
      tries = 0;
    } catch (error) {
      // A full pipe that another process made non-blocking; any other output would block. With a closed pipe
      // or a full disk the log is lost, but the application continues.
      if (!(error instanceof Deno.errors.WouldBlock) || tries++ === maxTries) {
        return tellLost(error);
      }
      Atomics.wait(sleeper, 0, 0, 1);
    }
  }
}

/** Reports once that the log cannot be written, which would go unnoticed otherwise. */
function tellLost(error: unknown): void {
  if (isLostTold) return;
  isLostTold = true;
  const reason = error instanceof Error ? error.message : String(error);
  try {
    console.error(`Cannot write the log to standard output: ${reason}; its lines are lost.`);
  } catch {
    // Standard error is closed as well.
  }
}
