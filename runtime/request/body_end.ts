import type { RequestBody } from "./body.ts";

/**
 * Removes the temporary files of a request once its answer is through: the answer, or what a stream
 * does after its head was sent, may still read them.
 *
 * @param body The body, whose form was read or is being read.
 * @param exchange The answer, and the connection where a server gave one.
 * @returns The answer to send.
 */
export function endBody(
  body: RequestBody,
  exchange: {
    readonly response: Response;
    readonly info: Deno.ServeHandlerInfo | undefined;
  },
): Response {
  const { spool } = body;
  const { response, info } = exchange;
  if (spool === undefined) return response;
  const completed = info?.completed;
  if (completed !== undefined) {
    const release = (): Promise<void> => spool.release();
    completed.then(release, release);
    return response;
  }
  if (response.body === null || !spool.isUsed) {
    spool.releaseNow();
    return response;
  }
  return new Response(releaseAfter(response.body, () => spool.releaseNow()), response);
}

/** Without a server nobody tells when the answer is through, but its body does. */
function releaseAfter(
  stream: ReadableStream<Uint8Array>,
  release: () => void,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        release();
        controller.close();
      } catch (error) {
        release();
        controller.error(error);
      }
    },
    async cancel(reason): Promise<void> {
      release();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
