/** Size of one read: a model writes a few hundred bytes at a time. */
const bufferBytes = 16_384;

/** Reads a body piece by piece. Each piece is good until the next is read. */
export interface BodyReader {
  read(): Promise<Uint8Array | undefined>;
  /** Ends the reading; a pending `read` ends at once. */
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Opens a body. The body of a real fetch is read into one buffer over and over: left to itself, the
 * platform allocates 64 KiB for every read, which is most of the memory of a thousand slow streams.
 */
export function openBody(body: ReadableStream<Uint8Array>): BodyReader {
  try {
    return new BufferReader(body.getReader({ mode: "byob" }));
  } catch {
    // Not a stream of bytes: the body of a fetch that was passed in.
    return new PieceReader(body.getReader());
  }
}

class BufferReader implements BodyReader {
  readonly #reader: ReadableStreamBYOBReader;
  #buffer = new ArrayBuffer(bufferBytes);

  constructor(reader: ReadableStreamBYOBReader) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    const { value, done } = await this.#reader.read(new Uint8Array(this.#buffer));
    if (value !== undefined) this.#buffer = value.buffer as ArrayBuffer;
    return done ? undefined : value;
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}

class PieceReader implements BodyReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>) {
    this.#reader = reader;
  }

  async read(): Promise<Uint8Array | undefined> {
    return (await this.#reader.read()).value;
  }

  cancel(reason?: unknown): Promise<void> {
    return this.#reader.cancel(reason);
  }
}
