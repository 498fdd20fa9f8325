import { AiClient, type AiClientOptions, AiError, type ChatResponse, user } from "../../ai/mod.ts";

/** A server on loopback that ends with the block that opened it. */
export interface TestServer extends AsyncDisposable {
  /** The base URL for a client. */
  readonly baseUrl: string;
  /** How many requests have come. */
  readonly requests: () => number;
}

/** Serves on a free port. */
export function serve(
  handler: (request: Request, index: number) => Response | Promise<Response>,
): TestServer {
  let count = 0;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => handler(request, count++),
  );
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    requests: () => count,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A client with the settings of a test. */
export function clientOf(baseUrl: string, options: Partial<AiClientOptions> = {}): AiClient {
  return new AiClient({ baseUrl, apiKey: "test-key-123456", model: "m", ...options });
}

/** A response of the media type of event streams. */
export function eventResponse(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** A body that comes in the given pieces. */
export function inPieces(
  pieces: Iterable<Uint8Array<ArrayBuffer> | string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const waiting = Iterator.from(pieces);
  return new ReadableStream({
    async pull(controller): Promise<void> {
      // Lets each piece travel alone.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const { value, done } = waiting.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  });
}

/** One frame with a chunk whose first choice is given. */
export function chunk(choice: object, extra: object = {}): string {
  return `data: ${JSON.stringify({ id: "x", model: "m", choices: [choice], ...extra })}\n\n`;
}

/** A frame with text. */
export function textChunk(content: string): string {
  return chunk({ index: 0, delta: { content } });
}

/** The frame with the reason of the end. */
export function endChunk(reason = "stop"): string {
  return chunk({ index: 0, delta: {}, finish_reason: reason });
}

/** Streams one question to its end. */
export function ask(client: AiClient): Promise<ChatResponse> {
  return client.stream({ messages: [user("Hi")] }).response();
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<AiError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AiError) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
