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
