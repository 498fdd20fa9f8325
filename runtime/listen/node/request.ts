import type { IncomingMessage, ServerResponse } from "node:http";

/** A request as `Deno.serve` would have given it. */
export interface ConvertedMessage {
  readonly request: Request;
  readonly info: Deno.ServeHandlerInfo;
}

/** Its `url` is the raw text, so that the pipeline checks the same under both listeners. */
export function convertMessage(message: IncomingMessage, answer: ServerResponse): ConvertedMessage {
  const { method = "GET" } = message;
  const headers = readHeaders(message);
  const raw = rawUrl(message, headers);
  const request = new Request(URL.canParse(raw) ? raw : "http://localhost/", {
    // `Request` refuses some methods; the pipeline responds with 405.
    method: isTakenMethod(method) ? method : "POST",
    headers,
    body: method === "GET" || method === "HEAD" ? null : bodyOf(message),
  });
  let controller: AbortController | undefined;
  Object.defineProperties(request, {
    url: { value: raw },
    method: { value: method },
    signal: {
      get: (): AbortSignal => {
        controller ??= abortOnClose(answer);
        return controller.signal;
      },
    },
  });
  const { remoteAddress = "", remotePort = 0 } = message.socket;
  const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname: remoteAddress, port: remotePort };
  return {
    request,
    info: {
      remoteAddr,
      get completed(): Promise<void> {
        return completionOf(answer);
      },
    },
  };
}

/** Returns the URL as Deno's listener joins it, which the target guard can check. */
function rawUrl(message: IncomingMessage, headers: Headers): string {
  const { url = "/" } = message;
  // Without a slash of its own the host would bring the path, whatever comes after it: as it stands
  // it is not a URL, which is refused.
  if (!url.startsWith("/")) return url;
  // Of two hosts `message.headers` keeps one; here they stand side by side, which is not a host.
  return `http://${headers.get("host") ?? "localhost"}${url}`;
}

function isTakenMethod(method: string): boolean {
  return !/^(?:CONNECT|TRACE|TRACK)$/i.test(method);
}

function readHeaders(message: IncomingMessage): Headers {
  const headers = new Headers();
  const { rawHeaders } = message;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    const value = rawHeaders[index + 1] ?? "";
    const cookies = /^cookie$/i.test(name) ? headers.get(name) : null;
    // A proxy may split the cookies over several lines (RFC 9113, section 8.2.3).
    if (cookies === null) headers.append(name, value);
    else headers.set(name, `${cookies}; ${value}`);
  }
  return headers;
}

function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  const pieces = message[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller): Promise<void> {
      const { done, value } = await pieces.next();
      if (done) controller.close();
      else controller.enqueue(new Uint8Array(value));
    },
    cancel(): void {
      // The rest is not needed; the connection ends after the response.
      message.pause();
    },
  }, { highWaterMark: 0 });
}

function abortOnClose(answer: ServerResponse): AbortController {
  const controller = new AbortController();
  const abort = (): void => {
    if (!answer.writableFinished) {
      controller.abort(new DOMException("The client has gone.", "AbortError"));
    }
  };
  if (answer.closed) abort();
  else answer.once("close", abort);
  return controller;
}

function completionOf(answer: ServerResponse): Promise<void> {
  if (answer.closed) return Promise.resolve();
  return new Promise((resolve) => answer.once("close", () => resolve()));
}
