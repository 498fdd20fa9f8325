/**
 * Reads a body until it ends or breaks; leaving the loop cancels it. Throws the reason of the signal, even
 * if `fetch` ignores the signal.
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

/** Size of the read buffer, in bytes; a model writes a few hundred bytes at a time. */
const bufferBytes = 16_384;

/** A reader of a body. A piece is valid only until the next read. */
export interface BodyReader {
  read(): Promise<Uint8Array | undefined>;
  cancel(reason?: unknown): Promise<void>;
}

/** Opens a body for reads into one buffer, because 64 KiB per read would dominate the memory of slow streams. */
export function openBody(body: ReadableStream<Uint8Array>): BodyReader {
  try {
    const reader = body.getReader({ mode: "byob" });
    let buffer = new ArrayBuffer(bufferBytes);
    return {
      read: async () => {
        const { value, done } = await reader.read(new Uint8Array(buffer));
        if (value !== undefined) buffer = value.buffer as ArrayBuffer;
        return done ? undefined : value;
      },
      cancel: (reason) => reader.cancel(reason),
    };
  } catch {
    // Not a byte stream, as from a custom `fetch`.
    const reader = body.getReader();
    return {
      read: async () => (await reader.read()).value,
      cancel: (reason) => reader.cancel(reason),
    };
  }
}
