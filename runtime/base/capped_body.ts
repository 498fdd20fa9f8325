/** Limits of {@link readCapped}. */
export interface CappedRead {
  /** The maximum size of the body in bytes. */
  readonly maxBytes: number;
  /** Aborts the read, which rejects: not every `fetch` aborts the body with the signal of its request. */
  readonly signal?: AbortSignal;
}

/**
 * Reads a whole body; returns `undefined` for one with more than `maxBytes`, which is cancelled. Rejects if
 * the body breaks off.
 *
 * @example
 * ```ts
 * import { readCapped } from "@fw/fw/addon";
 *
 * const bytes = await readCapped(new Response("four").body, { maxBytes: 4 });
 * console.assert(bytes?.length === 4);
 * console.assert(await readCapped(new Response("five!").body, { maxBytes: 4 }) === undefined);
 * ```
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  { maxBytes, signal }: CappedRead,
): Promise<Uint8Array | undefined> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const leave = (): void => void reader.cancel().catch(() => {});
  if (signal?.aborted) leave();
  signal?.addEventListener("abort", leave);
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const { value } = await reader.read();
      // A cancelled body ends like a whole one.
      signal?.throwIfAborted();
      if (value === undefined) return await new Blob(parts as BlobPart[]).bytes();
      size += value.length;
      if (size > maxBytes) return undefined;
      // Without this, empty chunks would pile up without limit.
      if (value.length > 0) parts.push(value);
    }
  } finally {
    signal?.removeEventListener("abort", leave);
    leave();
  }
}
