import { HttpError, httpError } from "../base/errors/errors.ts";
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

export type ChunkReader = { read(): Promise<Uint8Array | undefined>; cancel(): Promise<void> };

export function openReader(stream: ReadableStream<Uint8Array>, readBytes: number): ChunkReader {
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
