import { eventsPath, reloadScript, reloadScriptPath } from "@fw/fw/conventions";
import * as http from "node:http";
import type { Duplex } from "node:stream";
import { type DevAddress, isHostAllowed, type Listeners, listenOn } from "./address.ts";
import type { AppState, DevApp } from "./app.ts";
import type { ChildAddress } from "./child.ts";
import type { ErrorAnswer, ErrorPageOptions } from "./error_page.ts";
import { forward, forwardUpgrade, maxHeaderBytes } from "./proxy.ts";
import type { ReloadEvents } from "./reload_events.ts";

export interface DevServerOptions {
  readonly app: Pick<DevApp, "settled">;
  readonly events: ReloadEvents;
  readonly pages: ErrorPageOptions;
  /** Returns the accepted hosts besides this machine's own. */
  readonly listedHosts: () => readonly string[];
  readonly waitMs: number;
}

/** Starts listening. @throws The system's error if it cannot listen there. */
export async function serveDev(address: DevAddress, options: DevServerOptions): Promise<Listeners> {
  return await listenOn(address, () => newServer(options));
}

function newServer(options: DevServerOptions): http.Server {
  const server = http.createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0 });
  server.keepAliveTimeout = 65_000;
  server.on("request", (request, response) => {
    answer(request, response, options).catch(() => response.destroy());
  });
  server.on("upgrade", (request, socket: Duplex, head: Uint8Array) => {
    answerUpgrade(request, { socket, head }, options).catch(() => socket.destroy());
  });
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
    const status = error.code === "HPE_HEADER_OVERFLOW"
      ? "431 Request Header Fields Too Large"
      : "400 Bad Request";
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  });
  return server;
}

async function answer(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  options: DevServerOptions,
): Promise<void> {
  const { host = "" } = request.headers;
  if (!isHostAllowed(request.headers.host, options.listedHosts)) {
    const text = `${options.pages.messages.dev.hostRefused(host)}\n`;
    return send(request, response, { status: 400, type: "text/plain; charset=utf-8", text });
  }
  const path = (request.url ?? "").replace(/\?.*$/, "");
  if (path === eventsPath || path === reloadScriptPath) {
    request.resume();
    if (request.method !== "GET") {
      return void response.writeHead(405, { Allow: "GET", "Content-Length": "0" }).end();
    }
    if (path === eventsPath) return options.events.add(response);
    const type = "text/javascript; charset=utf-8";
    return send(request, response, { status: 200, type, text: reloadScript });
  }
  const forwardTo = (address: ChildAddress) => forward(request, response, address);
  const state = await deliver(options, forwardTo, isRepeatable(request));
  if (state !== undefined && !response.destroyed) {
    await answerState(state, { request, response }, options);
  }
}

async function answerUpgrade(
  request: http.IncomingMessage,
  client: { readonly socket: Duplex; readonly head: Uint8Array },
  options: DevServerOptions,
): Promise<void> {
  const { socket } = client;
  const refuse = (status: string): void =>
    void socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
  if (!isHostAllowed(request.headers.host, options.listedHosts)) {
    socket.on("error", () => socket.destroy());
    return refuse("400 Bad Request");
  }
  const mayRepeat = true;
  const forwardTo = (address: ChildAddress) => forwardUpgrade(request, client, address);
  const state = await deliver(options, forwardTo, mayRepeat);
  if (state === undefined || socket.destroyed) return;
  refuse(state.kind === "serving" ? "502 Bad Gateway" : "503 Service Unavailable");
}

function send(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { status, type, text, headers = {} }: {
    readonly status: number;
    readonly type: string;
    readonly text: string;
    readonly headers?: http.OutgoingHttpHeaders;
  },
): void {
  request.resume();
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": String(new TextEncoder().encode(text).length),
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  }).end(request.method === "HEAD" ? undefined : text);
}

const attempts = 5;
// A process that refuses connections is detected as ended within this time.
const noticeMs = 1_000;

/** Forwards a request, again if the process ended; returns the state that prevented a response. */
async function deliver(
  { app, waitMs }: DevServerOptions,
  forwardTo: (address: ChildAddress) => Promise<string>,
  mayRepeat: boolean,
): Promise<AppState | undefined> {
  let state = await app.settled({ timeoutMs: waitMs });
  for (let attempt = 0; state.kind === "serving"; attempt++) {
    const { address } = state;
    if (await forwardTo(address) !== "lost") return undefined;
    const next = await app.settled({ timeoutMs: noticeMs, unlike: address });
    if (next.kind === "failed") return next;
    const hasHungUp = next.kind === "serving" && next.address === address;
    if (hasHungUp || !mayRepeat || attempt + 1 === attempts) return state;
    state = next.kind === "starting" ? await app.settled({ timeoutMs: waitMs }) : next;
  }
  return state;
}

/** Reports whether a request may be sent twice: it has no body, and its method changes nothing. */
function isRepeatable(request: http.IncomingMessage): boolean {
  const { method, headers } = request;
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") return false;
  return headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0;
}

async function answerState(
  state: AppState,
  { request, response }: {
    readonly request: http.IncomingMessage;
    readonly response: http.ServerResponse;
  },
  options: DevServerOptions,
): Promise<void> {
  // Loaded for the first error, so that a start without one does not wait for it.
  const page = await import("./error_page.ts");
  const { pages, waitMs } = options;
  const shown = state.kind === "failed"
    ? page.failureAnswer(state.failure, pages)
    : noticeOf(state, { pages, waitMs });
  const { accept = "" } = request.headers;
  const isHtml = /\btext\/html\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept);
  send(request, response, {
    status: shown.status,
    type: `text/${isHtml ? "html" : "plain"}; charset=utf-8`,
    text: isHtml ? page.renderErrorPage(shown, pages) : shown.text,
    headers: {
      "Content-Security-Policy": page.pagePolicy,
      ...shown.status === 503 ? { "Retry-After": "1" } : {},
    },
  });
}

/** Explains why there is no response: the application is starting, or ended with the request. */
function noticeOf(
  { kind }: AppState,
  { pages: { messages: { dev } }, waitMs }: Pick<DevServerOptions, "pages" | "waitMs">,
): ErrorAnswer {
  const isGone = kind === "serving";
  const title = isGone ? dev.gone : dev.starting;
  const problems = isGone ? [] : [{ message: dev.startingText(Math.round(waitMs / 1000)) }];
  const text = [title, ...problems.map(({ message }) => message)].join(". ");
  return { status: isGone ? 502 : 503, title, heading: title, problems, text, retries: !isGone };
}
