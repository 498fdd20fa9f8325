/**
 * Reads a body piece by piece until it ends, or the connection breaks; to leave the loop ends the body.
 * The signal ends it too: not every `fetch` ends its body with the signal of its request.
 *
 * @throws the reason of the signal.
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const abort = (): void => void reader.cancel().catch(() => {});
  signal?.addEventListener("abort", abort);
  const broken = { done: true, value: undefined } as const;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => broken);
      signal?.throwIfAborted();
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener("abort", abort);
    await reader.cancel().catch(() => {});
  }
}

/**
 * Reads the start of a body as text.
 *
 * @returns The text, and whether the body is longer than it may be; then the text is cut off.
 */
export async function readBodyText(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: { readonly maxBytes: number; readonly signal?: AbortSignal },
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of bodyChunks(body, signal)) {
    bytes += chunk.length;
    parts.push(decoder.decode(chunk, { stream: true }));
    // Leaving the loop cancels the body.
    if (bytes > maxBytes) return { text: parts.join(""), isCut: true };
  }
  return { text: parts.join("") + decoder.decode(), isCut: false };
}

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
