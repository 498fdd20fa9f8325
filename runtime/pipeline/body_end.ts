import type { UploadSpool } from "../body/upload/spool.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { ProcessConnection } from "../request/connections.ts";

/**
 * Removes the temporary files of a request once its response is sent: the response, or a stream after the
 * head was sent, may still read them.
 */
export function endBody(c: RequestCtx, response: Response, spool: UploadSpool): Response {
  // A file that cannot be removed is the operator's matter: no client can do anything about it.
  const note = (error: unknown): void => c.log.warn("an upload was not removed", { error });
  // In this process the response is over when it is read, and a test must find nothing left to wait for.
  const completed = c.info instanceof ProcessConnection ? undefined : c.info?.completed;
  if (completed !== undefined) {
    const release = (): Promise<void> => spool.release();
    completed.then(release, release).catch(note);
    return response;
  }
  const release = (): void => {
    try {
      spool.releaseNow();
    } catch (error) {
      note(error);
    }
  };
  if (response.body === null || !spool.isUsed) {
    release();
    return response;
  }
  return new Response(releaseAfter(response.body, release), response);
}

/** Without a server there is no completion event, but the body's end is visible. */
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
