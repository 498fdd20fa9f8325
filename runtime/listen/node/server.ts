import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { Timeouts } from "../../base/config/settings.ts";
import { type HttpListener, maxNodeHeaderBytes, type NodeListenerOptions } from "../listener.ts";
import { convertMessage } from "./request.ts";
import { writeMessage } from "./response.ts";

/** Interval at which connections are checked, in milliseconds. */
const sweepMs = 1_000;

/** As with Deno's listener; more is refused: proxies append theirs, so none may be dropped. */
const maxHeaders = 128;

/**
 * Listens with `node:http`, which has what Deno's own listener lacks: deadlines for the head of a
 * request, for an idle connection and for a client that does not read, and a limit of
 * the head. It costs about four times as much a request (`bench/http`).
 *
 * @returns The listener, once it listens.
 */
export async function listenNode(options: NodeListenerOptions): Promise<HttpListener> {
  const { address, onError } = options;
  const isStopping = { value: false };
  const server = openServer(options.timeouts);
  const exchange = createExchange(options, isStopping);
  server.on("request", (message: IncomingMessage, answer: ServerResponse) => {
    exchange(message, answer).catch((error) => {
      onError(error);
      answer.destroy();
    });
  });
  server.listen(address.port, address.hostname);
  await once(server, "listening");
  const closed = once(server, "close");
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : address.port;
  return {
    hostname: address.hostname,
    port,
    finished: closed.then(() => {}),
    shutdown: async () => {
      isStopping.value = true;
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

/** Creates a server with the deadlines and limits; it refuses what is not a HTTP by itself. */
function openServer(timeouts: Timeouts): Server {
  const server = createServer({
    connectionsCheckingInterval: sweepMs,
    headersTimeout: finite(timeouts.readMs),
    // The framework has its own deadline for the body, which a handler can remove.
    requestTimeout: 0,
    keepAliveTimeout: finite(timeouts.idleMs),
    maxHeaderSize: Math.min(timeouts.maxHeaderBytes, maxNodeHeaderBytes),
    noDelay: true,
  });
  // No limit here, since Node's truncates silently; `maxHeaderSize` bounds the memory.
  server.maxHeadersCount = 0;
  server.on("clientError", (error, socket) => {
    const status = statusOfFault("code" in error ? String(error.code) : "");
    if (socket.writable) {
      socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
    } else {
      socket.destroy();
    }
  });
  return server;
}

type Handle = (message: IncomingMessage, answer: ServerResponse) => Promise<void>;

function createExchange(
  { pipeline, timeouts }: NodeListenerOptions,
  isStopping: { readonly value: boolean },
): Handle {
  const refused: WeakSet<object> = new WeakSet();
  return async (message, answer) => {
    // What came after a refused request may be a piece of its body.
    if (refused.has(message.socket)) return;
    const refusal = refusalOf(message);
    if (refusal !== undefined) {
      refused.add(message.socket);
      answer.setHeader("connection", "close");
      const response = new Response(null, { status: refusal });
      return await writeMessage(response, { message, answer, stallMs: timeouts.writeMs });
    }
    const { request, info } = convertMessage(message, answer);
    const response = await pipeline(request, info);
    if (isStopping.value) answer.setHeader("connection", "close");
    await writeMessage(response, { message, answer, stallMs: timeouts.writeMs });
  };
}

/** Converts `Infinity` to 0, which means no limit to `node:http`. */
function finite(ms: number): number {
  return Number.isFinite(ms) ? Math.max(ms, 1) : 0;
}

/**
 * Returns the status for a message that must not be parsed further. HTTP/0.9 has no headers at all, and
 * HTTP/1.0 no chunks: an HTTP/1.0 hop takes their text for the next request (RFC 9112, section 6.1).
 */
function refusalOf({ httpVersion, headers, rawHeaders }: IncomingMessage): number | undefined {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return 400;
  if (httpVersion === "1.0" && headers["transfer-encoding"] !== undefined) return 400;
  // Names and values alternate.
  return rawHeaders.length / 2 > maxHeaders ? 431 : undefined;
}

function statusOfFault(code: string): string {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "408 Request Timeout";
  if (code === "HPE_HEADER_OVERFLOW") return "431 Request Header Fields Too Large";
  return "400 Bad Request";
}
