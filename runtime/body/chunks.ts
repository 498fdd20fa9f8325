import { HttpError, httpError } from "../base/errors/errors.ts";
import { type Deadline, endDeadline } from "./deadline.ts";
import { describeBytes } from "./format.ts";

export function tooLarge(maxBytes: number, explains: boolean): HttpError {
  const fix = explains
    ? "; raise it with c.allowBody(maxBytes) in a middleware of the route, or with " +
      "config.maxBodyBytes for all routes"
    : "";
  return httpError(413, `the body is over the limit of ${describeBytes(maxBytes)}${fix}`, {
    code: "body_too_large",
  });
}

export function tooLate(): HttpError {
  return httpError(408, "the body did not arrive in time", { code: "body_timeout" });
}

export function unreadable(cause: unknown): HttpError {
  // A body created by other code may fail with its own error, which carries the status.
  if (cause instanceof HttpError) return cause;
  return httpError(400, "the body could not be read to its end", {
    code: "body_unreadable",
    cause,
  });
}

export interface ChunkOptions {
  readonly maxBytes: number;
  readonly declaredBytes: number | undefined;
  readonly explains: boolean;
  readonly keep: ((piece: Uint8Array | undefined) => void) | undefined;
  readonly readMs: number;
  /** The minimum average rate after that time. */
  readonly minBytesPerSecond: number;
  readonly startDeadline: (expire: () => void) => Deadline;
  /** Runs at the end of the body, and may refuse it. */
  readonly checkAgain: () => Promise<void>;
}

const maxReadBytes = 65_536;

/**
 * The largest read of a chunked body, in bytes. The platform fills a read from the socket, returns one piece,
 * and moves the rest each time: with 64 KiB, 65,000 pieces of 16 bytes took a second, and 300,000 half a
 * minute. Large pieces are read in parts, at 20 ms per MiB.
 */
const maxPieceReadBytes = 512;

/** A piece below this is small, in bytes. */
const smallBytes = 256;

/** The maximum number of small pieces, at about 10 µs each; every KiB of the body allows one more. */
const maxSmallPieces = 4_096;

/** The minimum average size at which the pieces of a refused body are read and discarded, in bytes. */
const discardedPieceBytes = 384;

/** Number of reads before other requests get a turn: reading pieces that have arrived does not yield. */
const readsPerTurn = 64;

export class BodyChunks {
  readonly #options: ChunkOptions;
  readonly #reader: ChunkReader | undefined;
  readonly #deadline: Deadline | undefined;
  /** Time spent waiting for the client, without the handler's time between two reads. */
  #waitedMs = 0;
  #count = 0;
  #smallPieces = 0;
  #reads = 0;
  #isLate = false;
  #isOver = false;

  constructor(stream: ReadableStream<Uint8Array> | null, options: ChunkOptions) {
    this.#options = options;
    if (stream === null) return;
    const { declaredBytes } = options;
    const readBytes = declaredBytes === undefined
      ? maxPieceReadBytes
      : Math.max(Math.min(declaredBytes, maxReadBytes), 1);
    const reader = openReader(stream, readBytes);
    this.#reader = reader;
    this.#deadline = options.startDeadline(() => {
      this.#isLate = true;
      // This ends the pending read.
      reader.cancel().catch(() => {});
    });
  }

  /** Returns the next piece, `undefined` at the end. The piece is valid until the next call. */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined || this.#isOver) return undefined;
    const { maxBytes, explains, keep } = this.#options;
    let piece: Uint8Array | undefined;
    try {
      piece = await this.#readInTime(this.#reader);
      if (this.#isLate) throw tooLate();
    } catch (error) {
      this.#end();
      throw this.#isLate ? tooLate() : unreadable(error);
    }
    if (piece === undefined) {
      this.#end();
      keep?.(undefined);
      await this.#options.checkAgain();
      return undefined;
    }
    this.#count += piece.length;
    if (this.#count > maxBytes) {
      await this.#refuse();
      throw tooLarge(maxBytes, explains);
    }
    keep?.(piece);
    const isSmall = piece.length < smallBytes;
    if (isSmall && ++this.#smallPieces > maxSmallPieces + this.#count / 1_024) {
      await this.#refuse();
      throw httpError(400, "the body arrived in too many small pieces: send larger chunks", {
        code: "body_fragmented",
      });
    }
    if (++this.#reads % readsPerTurn === 0) await new Promise((resolve) => setImmediate(resolve));
    return piece;
  }

  async #readInTime(reader: ChunkReader): Promise<Uint8Array | undefined> {
    const deadline = this.#deadline;
    const { readMs, minBytesPerSecond } = this.#options;
    if (deadline === undefined || readMs === Infinity) return await reader.read();
    const startMs = performance.now();
    const paidMs = this.#count / minBytesPerSecond * 1_000;
    const leftMs = Math.max(readMs, paidMs) - this.#waitedMs;
    // Without a minimum rate the quotient is `NaN` or `Infinity`.
    deadline.dueMs = startMs + (minBytesPerSecond > 0 ? Math.min(readMs, leftMs) : readMs);
    const piece = await reader.read();
    this.#waitedMs += performance.now() - startMs;
    deadline.dueMs = Infinity;
    return piece;
  }

  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#reader?.cancel().catch(() => {});
  }

  /** Refuses the body. The platform also discards piece by piece, so a flood of small ones is left unread. */
  async #refuse(): Promise<void> {
    if (this.#count >= this.#reads * discardedPieceBytes) return await this.cancel();
    this.#end();
  }

  #end(): void {
    this.#isOver = true;
    if (this.#deadline !== undefined) endDeadline(this.#deadline);
  }
}

interface ChunkReader {
  read(): Promise<Uint8Array | undefined>;
  cancel(): Promise<void>;
}

function openReader(stream: ReadableStream<Uint8Array>, readBytes: number): ChunkReader {
  let byob: ReadableStreamBYOBReader;
  try {
    byob = stream.getReader({ mode: "byob" });
  } catch {
    // A body built by other code may not be a byte stream.
    const reader = stream.getReader();
    return { read: async () => (await reader.read()).value, cancel: () => reader.cancel() };
  }
  // One buffer for all pieces: the garbage of a large upload would exceed its memory limit before
  // it is collected (`tests/runtime/body/upload/memory_test.ts`).
  let buffer = new Uint8Array(readBytes);
  return {
    async read(): Promise<Uint8Array | undefined> {
      const { done, value } = await byob.read(buffer);
      if (value !== undefined) buffer = new Uint8Array(value.buffer);
      return done ? undefined : value;
    },
    cancel: () => byob.cancel(),
  };
}

/** One array that doubles in size: an object per piece could take a hundred times its bytes. */
export class ByteBuffer {
  #bytes = new Uint8Array(1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** Returns the bytes, valid until the next piece is appended. */
  view(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }
}
