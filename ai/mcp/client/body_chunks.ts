/**
 * Reads a body piece by piece until it ends, or the connection breaks; to leave the loop ends the body.
 * The signal ends it too: not every `fetch` ends its body with the signal of its request.
 *
 * @throws the reason of the signal.
 */
export async function* bodyChunks(
  body: ReadableStream<Uint8Array> | null,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, void> {
  if (body === null) return;
  const reader = body.getReader();
  const abort = (): void => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", abort);
  const broken = { done: true, value: undefined } as const;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch(() => broken);
      if (signal.aborted) throw signal.reason;
      if (done || value === undefined) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
    await reader.cancel().catch(() => {});
  }
}
