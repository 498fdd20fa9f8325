import { type Deadline, endDeadline } from "./deadline.ts";
import { tooFragmented, tooLarge, tooLate, unreadable } from "./faults.ts";

/** The options for reading a body in pieces. */
export interface ChunkOptions {
  /** The most bytes of all pieces. */
  readonly maxBytes: number;
  /** The announced length. */
  readonly declaredBytes: number | undefined;
  /** Whether a refusal names the fix, as in development. */
  readonly explains: boolean;
  /** Notes that reading begins. */
  readonly startDeadline: (expire: () => void) => Deadline;
}

/** The largest piece, in bytes. */
const maxChunkBytes = 65_536;

/** A piece below this is small, in bytes. */
const smallBytes = 16;

/**
 * The maximum number of small pieces in a body. The platform's work grows faster than their number: 300,000
 * of one byte take seconds. A client that writes value by value stays far below.
 */
const maxSmallPieces = 32_768;

/** The pieces of a body, counted and in time. */
export class BodyChunks {
  readonly #maxBytes: number;
  readonly #explains: boolean;
  readonly #reader: ChunkReader | undefined;
  readonly #deadline: Deadline | undefined;
  #count = 0;
  #smallPieces = 0;
  #isLate = false;
  #isOver = false;

  constructor(stream: ReadableStream<Uint8Array> | null, options: ChunkOptions) {
    this.#maxBytes = options.maxBytes;
    this.#explains = options.explains;
    if (stream === null) return;
    const { declaredBytes = maxChunkBytes } = options;
    const reader = openReader(stream, Math.max(Math.min(declaredBytes, maxChunkBytes), 1));
    this.#reader = reader;
    this.#deadline = options.startDeadline(() => {
      this.#isLate = true;
      // The read that is waiting ends with this.
      reader.cancel().catch(() => {});
    });
  }

  /**
   * Returns the next piece, `undefined` at the end. The piece is valid until the next call.
   *
   * @throws {HttpError} 413 over the limit, 408 after the deadline, 400 when the client disconnects or
   * sends almost nothing at a time.
   */
  async read(): Promise<Uint8Array | undefined> {
    if (this.#reader === undefined || this.#isOver) return undefined;
    let piece: Uint8Array | undefined;
    try {
      piece = await this.#reader.read();
    } catch (error) {
      this.#end();
      throw this.#isLate ? tooLate() : unreadable(error);
    }
    if (this.#isLate) {
      this.#end();
      throw tooLate();
    }
    if (piece === undefined) {
      this.#end();
      return undefined;
    }
    this.#count += piece.length;
    if (this.#count > this.#maxBytes) {
      await this.cancel();
      throw tooLarge(this.#maxBytes, { explains: this.#explains });
    }
    if (piece.length < smallBytes && ++this.#smallPieces > maxSmallPieces) {
      await this.cancel();
      throw tooFragmented();
    }
    return piece;
  }

  /** Discards the rest, so the response reaches the client and the connection stays usable. */
  async cancel(): Promise<void> {
    if (this.#isOver) return;
    this.#end();
    await this.#reader?.cancel().catch(() => {});
  }

  #end(): void {
    this.#isOver = true;
    if (this.#deadline !== undefined) endDeadline(this.#deadline);
  }
}

/** A reader of either kind of stream. */
interface ChunkReader {
  /** Returns the next piece, `undefined` at the end. */
  read(): Promise<Uint8Array | undefined>;
  /** Discards the rest. */
  cancel(): Promise<void>;
}

function openReader(stream: ReadableStream<Uint8Array>, chunkBytes: number): ChunkReader {
  let byob: ReadableStreamBYOBReader;
  try {
    byob = stream.getReader({ mode: "byob" });
  } catch {
    // A body that another program made need not be a stream of bytes.
    const reader = stream.getReader();
    return {
      read: async () => (await reader.read()).value,
      cancel: () => reader.cancel(),
    };
  }
  // One buffer for all pieces: the garbage of a large upload would outgrow the upload's share of
  // memory before it is collected (`tests/runtime/body/upload/memory_test.ts`).
  let buffer = new Uint8Array(chunkBytes);
  return {
    async read(): Promise<Uint8Array | undefined> {
      const { done, value } = await byob.read(buffer);
      if (value !== undefined) buffer = new Uint8Array(value.buffer);
      return done ? undefined : value;
    },
    cancel: () => byob.cancel(),
  };
}
