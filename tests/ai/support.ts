import { AiClient, type AiClientOptions, AiError, type ChatResponse, user } from "../../ai/mod.ts";

export interface TestServer extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: () => number;
}

export function serve(
  handler: (request: Request, index: number) => Response | Promise<Response>,
): TestServer {
  let count = 0;
  const local = { port: 0, hostname: "127.0.0.1", onListen: () => {} };
  const server = Deno.serve(local, (request) => handler(request, count++));
  return {
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    requests: () => count,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

export function clientOf(baseUrl: string, options: Partial<AiClientOptions> = {}): AiClient {
  return new AiClient({ baseUrl, apiKey: "test-key-123456", model: "m", ...options });
}

export function eventResponse(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>,
): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

/** Creates a client whose server answers each request with these events. */
export function replying(events: string): AiClient {
  return clientOf("http://localhost/v1", { fetch: () => Promise.resolve(eventResponse(events)) });
}

export function inPieces(
  pieces: Iterable<Uint8Array<ArrayBuffer> | string>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder();
  const waiting = Iterator.from(pieces);
  return new ReadableStream({
    async pull(controller): Promise<void> {
      // Makes each chunk arrive separately.
      await new Promise((resolve) => setTimeout(resolve, 1));
      const { value, done } = waiting.next();
      if (done) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
  });
}

export function chunk(choice: object, extra: object = {}): string {
  return `data: ${JSON.stringify({ id: "x", model: "m", choices: [choice], ...extra })}\n\n`;
}

export function textChunk(content: string): string {
  return chunk({ index: 0, delta: { content } });
}

export function endChunk(reason = "stop"): string {
  return chunk({ index: 0, delta: {}, finish_reason: reason });
}

export function ask(client: AiClient): Promise<ChatResponse> {
  return client.stream({ messages: [user("Hi")] }).response();
}

export async function failureOf(promise: Promise<unknown>): Promise<AiError> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof AiError) return error;
    throw error;
  }
  throw new Error("It did not fail.");
}
