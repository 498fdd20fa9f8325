import type { Timeouts } from "../base/config/settings.ts";
import type { Application } from "../base/ctx/application.ts";
import { dropDeadline, startDeadline } from "../body/deadline.ts";
import type { ListenAddress } from "../base/env.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { type HttpListener, maxNodeHeaderBytes, reportUnhandled } from "./listener.ts";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** The same as Deno's listener. More are refused, not dropped, because proxies append theirs at the end. */
const maxHeaders = 128;

/** The maximum number of requests of a connection in memory: clients may send them ahead of the responses. */
const maxQueued = 100;

/**
 * Listens with `node:http`, which offers deadlines for the head of a request, for an idle connection and for
 * a client that does not read, and a limit for the head. Deno's listener lacks these, but a request costs
 * about a quarter as much (`bench/http`).
 */
export async function listenNode(
  app: Application,
  address: ListenAddress,
  pipeline: Pipeline,
): Promise<HttpListener> {
  let isStopping = false;
  const queues = new Map<Socket, Queue>();
  const server = openServer(app.config.timeouts, queues);
  const exchange = async (queue: Queue, answer: ServerResponse): Promise<void> => {
    // Data after a refused request may be part of its body.
    if (queue.isRefused || answer.req.socket.destroyed) return;
    const status = refusalOf(answer.req);
    queue.isRefused = status !== undefined;
    const response = status === undefined
      ? await pipeline(...convertRequest(answer))
      : new Response(null, { status });
    if (status !== undefined || isStopping) answer.setHeader("connection", "close");
    await writeMessage(response, answer, app.config.timeouts.writeMs);
  };
  server.on("connection", (socket: Socket) => {
    queues.set(socket, { length: 0, turn: Promise.resolve(), isRefused: false });
    socket.once("close", () => queues.delete(socket));
  });
  server.on("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const queue = queues.get(socket);
    if (queue === undefined || ++queue.length > maxQueued) return void socket.destroy();
    queue.last = answer;
    queue.before = queue.turn;
    // In their order, so that responses do not wait in memory for a client that sends on without reading.
    queue.turn = queue.turn
      .then(() => exchange(queue, answer))
      .catch((error) => {
        reportUnhandled(app, error);
        // Only a cut connection signals a failed body to the client.
        answer.destroy();
      })
      .then(() => queue.length--);
  });
  server.listen(address.port, address.hostname);
  await once(server, "listening");
  const closed = once(server, "close");
  return {
    ...address,
    port: (server.address() as AddressInfo).port,
    finished: closed.then(() => {}),
    shutdown: async () => {
      isStopping = true;
      server.close();
      server.closeIdleConnections();
      // Browsers connect ahead of a request; `closeIdleConnections` leaves such connections open.
      for (const [socket, { last }] of queues) if (last === undefined) socket.destroy();
      await closed;
    },
  };
}

/** The requests of one connection, which are handled in turn. */
interface Queue {
  isRefused: boolean;
  length: number;
  turn: Promise<unknown>;
  /** The response to the last request, and the end of those before it. */
  last?: ServerResponse;
  before?: Promise<unknown>;
}

/** Creates a server with the deadlines and limits; it refuses input that is not HTTP itself. */
function openServer(timeouts: Timeouts, queues: ReadonlyMap<Socket, Queue>): Server {
  const server = createServer({
    connectionsCheckingInterval: 1_000,
    headersTimeout: finite(timeouts.readMs),
    // The framework has its own deadline for the body, which a handler can remove.
    requestTimeout: 0,
    keepAliveTimeout: finite(timeouts.idleMs),
    maxHeaderSize: Math.min(timeouts.maxHeaderBytes, maxNodeHeaderBytes),
    noDelay: true,
  });
  server.on("clientError", async (error, socket) => {
    const status = faults["code" in error ? String(error.code) : ""] ?? "400 Bad Request";
    const { last, turn, before } = queues.get(socket as Socket) ?? {};
    // The requests before the fault get their responses first.
    await (last?.req.complete ? turn : before);
    // The last response of a connection ends it by itself.
    if (last?.writableEnded && !last.shouldKeepAlive) return;
    if (!socket.writable) socket.destroy();
    else socket.end(emptyAnswer(status));
  });
  // Without a listener there is no response; without `destroy` the client could keep the connection.
  server.on("connect", ({ socket }) => {
    socket.end(emptyAnswer("400 Bad Request"), () => socket.destroy());
  });
  return server;
}

function emptyAnswer(status: string): string {
  return `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
}

/** Converts `Infinity` to 0, which means no limit to `node:http`. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? Math.max(ms, 1) : 0;
}

/**
 * Returns the status for a message that must not be parsed further. HTTP/0.9 has no headers, and HTTP/1.0 no
 * chunks: an HTTP/1.0 hop would read chunks as the next request (RFC 9112, section 6.1).
 */
function refusalOf({ httpVersion, headers, rawHeaders }: IncomingMessage): number | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return 400;
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return 400;
  // Names and values alternate.
  return rawHeaders.length / 2 > maxHeaders ? 431 : undefined;
}

const faults: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
};

/** Returns a request as `Deno.serve` would create it: its `url` is the raw text, for the target check. */
function convertRequest(answer: ServerResponse): [request: Request, info: Deno.ServeHandlerInfo] {
  const message = answer.req;
  const { method = "GET" } = message;
  const headers = readHeaders(message);
  const raw = rawUrl(message, headers);
  const request = new Request(URL.canParse(raw) ? raw : "http://localhost/", {
    // `Request` refuses some methods; the pipeline responds with 405.
    method: /^TRACE$|^TRACK$/i.test(method) ? "POST" : method,
    headers,
    body: method === "GET" || method === "HEAD" ? null : bodyOf(message),
  });
  let controller: AbortController | undefined;
  Object.defineProperties(request, {
    url: { value: raw },
    method: { value: method },
    signal: { get: (): AbortSignal => (controller ??= abortOnClose(answer)).signal },
  });
  const { remoteAddress: hostname = "", remotePort: port = 0 } = message.socket;
  return [request, {
    remoteAddr: { transport: "tcp", hostname, port },
    get completed(): Promise<void> {
      if (answer.closed) return Promise.resolve();
      return new Promise((resolve) => answer.once("close", () => resolve()));
    },
  }];
}

/** Returns the URL as Deno's listener joins it, which the target guard can check. */
function rawUrl(message: IncomingMessage, headers: Headers): string {
  const { url = "/" } = message;
  // Without a leading slash, the host would run into the path; unchanged, it is an invalid URL. An absolute
  // target without a path has the path "/" (RFC 9110, section 4.2.3).
  if (!url.startsWith("/")) return /^http:\/\/[^/?#]+$/i.test(url) ? `${url}/` : url;
  // `message.headers` would keep one of two hosts; these headers join both, which is not a valid host.
  return `http://${headers.get("host") ?? "localhost"}${url}`;
}

function readHeaders({ rawHeaders }: IncomingMessage): Headers {
  const headers = new Headers();
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
    if (answer.writableFinished) return;
    controller.abort(new DOMException("The client has gone.", "AbortError"));
  };
  if (answer.closed) abort();
  else answer.once("close", abort);
  return controller;
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

/**
 * Writes a response. `stallMs` is the timeout of a client that does not read. Throws if its body fails, unless
 * the client has gone.
 */
async function writeMessage(
  response: Response,
  answer: ServerResponse,
  stallMs: number,
): Promise<void> {
  writeHead(response, answer);
  if (response.body === null) {
    answer.end();
    return endConnection(answer);
  }
  const reader = response.body.getReader();
  let isGone = false;
  const gone = (): void => {
    isGone = true;
    reader.cancel().catch(() => {});
  };
  if (isClosed(answer)) return gone();
  answer.once("close", gone);
  try {
    await writeBody(reader, answer, stallMs);
  } catch (error) {
    if (isGone || isClosed(answer)) return;
    throw error;
  } finally {
    answer.off("close", gone);
  }
  endConnection(answer);
}

function writeHead({ status, headers }: Response, answer: ServerResponse): void {
  answer.statusCode = status;
  // What follows a body of another length than its header would be read as the next response.
  answer.strictContentLength = true;
  // An iterator would sort all headers again for each of them.
  headers.forEach((value, name) => {
    if (name !== "set-cookie" && !isFraming(name, value)) answer.setHeader(name, value);
  });
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) answer.setHeader("set-cookie", cookies);
  // The unread rest of a body would be parsed as the next request; after an `Upgrade` nothing more is parsed.
  const { complete, method, headers: { upgrade } } = answer.req;
  if (upgrade || (!complete && method !== "GET")) answer.setHeader("connection", "close");
}

/** Checks whether a header, such as of a fetched response, frames a body in a way that is not written here. */
function isFraming(name: string, value: string): boolean {
  if (name === "content-length") return !/^\d{1,15}$/.test(value);
  return name === "transfer-encoding" || name === "trailer";
}

async function writeBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  answer: ServerResponse,
  stallMs: number,
): Promise<void> {
  let next = reader.read();
  const first = await soon(next);
  // A stream without data yet: send the headers at once.
  if (first === undefined) answer.flushHeaders();
  else if (first.done) return void answer.end();
  else {
    next = reader.read();
    const second = await soon(next);
    // One piece is the whole body: with its length, the connection stays open without chunks.
    if (second?.done) answer.setHeader("content-length", first.value.length);
    else if (Number(answer.getHeader("content-length")) < first.value.length) {
      // `strictContentLength` does not check the first piece.
      throw new RangeError("Cannot write a body that is longer than its content-length");
    }
    await write(first.value, answer, stallMs);
  }
  for (let chunk = await next; !chunk.done; chunk = await reader.read()) {
    await write(chunk.value, answer, stallMs);
  }
  answer.end();
  if (!answer.writableFinished && !isClosed(answer)) {
    await until(["finish", "close"], answer, stallMs);
  }
}

/** Returns the chunk if it is available within this turn of the event loop. */
function soon(read: Promise<Chunk>): Promise<Chunk | undefined> {
  return new Promise((resolve, reject) => {
    read.then(resolve, reject);
    setImmediate(() => resolve(undefined));
  });
}

function isClosed(answer: ServerResponse): boolean {
  return answer.closed || answer.destroyed || answer.socket?.destroyed === true;
}

/** The size of one write, so that a large response shows whether the client is reading. */
const sliceBytes = 65_536;

async function write(piece: Uint8Array, answer: ServerResponse, stallMs: number): Promise<void> {
  for (let at = 0; at < piece.length; at += sliceBytes) {
    if (isClosed(answer)) throw new Error("the client has gone");
    const isTaken = answer.write(piece.subarray(at, at + sliceBytes));
    if (!isTaken) await until(["drain", "close"], answer, stallMs);
  }
}

/** Waits, with a timeout, until the client has read the buffered data. */
function until(
  events: readonly ("drain" | "finish" | "close")[],
  answer: ServerResponse,
  stallMs: number,
): Promise<void> {
  return new Promise((resolve) => {
    const deadline = startDeadline(performance.now() + stallMs, () => void answer.destroy());
    const done = (): void => {
      dropDeadline(deadline);
      for (const event of events) answer.off(event, done);
      resolve();
    };
    for (const event of events) answer.on(event, done);
  });
}

/** Ends a connection on which the client still sends an unwanted body. */
function endConnection(answer: ServerResponse): void {
  const { complete, method, socket } = answer.req;
  if (complete || method === "GET" || method === "HEAD") return;
  if (answer.writableFinished) socket.destroySoon();
  else answer.once("finish", () => socket.destroySoon());
}
