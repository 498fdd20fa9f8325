import { devPeerHeader } from "@fw/fw/conventions";
import * as http from "node:http";
import type { Duplex } from "node:stream";
import type { ChildAddress } from "./child.ts";

/** The result of a request; `lost` if the process ended before it responded. */
export type ForwardOutcome = "answered" | "lost" | "gone";

// Hop-by-hop headers (RFC 9110, section 7.6.1), besides those that `Connection` names. This server
// responds to `Expect` itself, before the body is forwarded.
const hopHeaders = new Set(
  ("connection keep-alive proxy-connection proxy-authenticate proxy-authorization te trailer " +
    "transfer-encoding upgrade expect").split(" "),
);

/** Forwards a request: `lost` if the process ended before it responded, `gone` if the browser left. */
export function forward(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  child: ChildAddress,
): Promise<ForwardOutcome> {
  const { promise, resolve } = Promise.withResolvers<ForwardOutcome>();
  const upstream = openUpstream(request, { child });
  let isAnswering = false;
  const onClientGone = (): void => {
    if (response.writableFinished) return;
    upstream.destroy();
    resolve("gone");
  };
  // A body that cannot be forwarded must not end this process: the response decides.
  request.on("error", () => upstream.destroy());
  response.on("close", onClientGone);
  upstream.on("response", (answer) => {
    writeHead(response, answer);
    // Send the head before the first byte of the body: an event stream may wait long for it.
    response.flushHeaders();
    isAnswering = true;
    answer.on("error", () => response.destroy());
    answer.on("end", () => {
      resolve("answered");
      drain(request, upstream);
    });
    answer.pipe(response);
  });
  upstream.on("error", () => {
    if (!response.headersSent) {
      if (response.destroyed) return resolve("gone");
      request.unpipe(upstream);
      response.off("close", onClientGone);
      return resolve("lost");
    }
    // The application closes after an early response, part of which may still be in transit.
    if (!isAnswering) response.destroy();
    resolve("answered");
  });
  upstream.on("close", () => {
    if (response.headersSent) drain(request, upstream);
  });
  // An early refusal must not wait for a body that the client may never send.
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if (length !== undefined || coding !== undefined) upstream.flushHeaders();
  request.pipe(upstream);
  return promise;
}

function openUpstream(
  request: http.IncomingMessage,
  { child, more = [] }: { readonly child: ChildAddress; readonly more?: readonly string[] },
): http.ClientRequest {
  return http.request({
    host: "127.0.0.1",
    port: child.port,
    method: request.method ?? "GET",
    path: request.url ?? "/",
    headers: [...requestHeaders(request, child), ...more],
    // One connection per request: a kept one may belong to a process that is ending.
    agent: false,
    setHost: false,
    maxHeaderSize: maxHeaderBytes,
  });
}

// A refused upload of 2 GB finishes within this time; a client that never ends is disconnected.
const drainMs = 10_000;

/**
 * Reads the rest of a body after the application has responded: a browser reads no response before
 * it has sent everything.
 */
function drain(request: http.IncomingMessage, upstream: http.ClientRequest): void {
  if (request.complete || request.destroyed) return;
  request.unpipe(upstream);
  upstream.destroy();
  request.resume();
  const { socket } = request;
  const timer = setTimeout(() => request.destroy(), drainMs);
  // A client that disconnects without sending its body only ends the connection.
  const stop = (): void => {
    clearTimeout(timer);
    socket.off("close", stop);
  };
  for (const end of ["end", "close"]) request.once(end, stop);
  socket.once("close", stop);
}

/** The maximum size of a head in both directions, the same as the application's server. */
export const maxHeaderBytes = 64 * 1024;

/** Forwards an upgrade, then every byte in both directions; `lost` leaves the connection open. */
export function forwardUpgrade(
  request: http.IncomingMessage,
  client: { readonly socket: Duplex; readonly head: Uint8Array },
  child: ChildAddress,
): Promise<ForwardOutcome> {
  const { socket, head } = client;
  return new Promise((resolve) => {
    const more = ["Connection", "Upgrade", "Upgrade", request.headers.upgrade ?? ""];
    const upstream = openUpstream(request, { child, more });
    const onClientGone = (): void => {
      upstream.destroy();
      resolve("gone");
    };
    socket.on("error", onClientGone);
    socket.on("close", onClientGone);
    upstream.on("upgrade", (answer, other, first) => {
      socket.write(rawHead(answer, answer.rawHeaders));
      if (first.length > 0) socket.write(first);
      if (head.length > 0) other.write(head);
      join(socket, other);
      resolve("answered");
    });
    upstream.on("response", (answer) => {
      socket.write(rawHead(answer, [...endToEnd(answer), "Connection", "close"]));
      answer.on("error", () => socket.destroy());
      answer.pipe(socket);
      resolve("answered");
    });
    upstream.on("error", () => {
      socket.off("close", onClientGone);
      resolve("lost");
    });
    upstream.end();
  });
}

function join(one: Duplex, other: Duplex): void {
  one.pipe(other);
  other.pipe(one);
  for (const [from, to] of [[one, other], [other, one]] as const) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
  }
}

/** Returns the headers of a request in their order, without those of the connection. */
function requestHeaders(request: http.IncomingMessage, child: ChildAddress): string[] {
  const headers = endToEnd(request).filter((_, index, all) =>
    (all[index - index % 2] ?? "").toLowerCase() !== devPeerHeader
  );
  // Otherwise a body of unknown length would be forwarded as empty.
  if (request.headers["transfer-encoding"] !== undefined) {
    headers.push("Transfer-Encoding", "chunked");
  }
  const ip = (request.socket.remoteAddress ?? "127.0.0.1").replace(/^::ffff:(?=\d)/, "");
  headers.push(devPeerHeader, `${child.token} ${ip} ${request.socket.remotePort ?? 0}`);
  return headers;
}

function endToEnd(message: http.IncomingMessage): string[] {
  const named = (message.headers.connection ?? "").toLowerCase().split(",").map((one) =>
    one.trim()
  );
  const kept: string[] = [];
  for (let at = 0; at + 1 < message.rawHeaders.length; at += 2) {
    const name = message.rawHeaders[at] ?? "";
    const lower = name.toLowerCase();
    if (hopHeaders.has(lower) || named.includes(lower)) continue;
    kept.push(name, message.rawHeaders[at + 1] ?? "");
  }
  return kept;
}

function writeHead(response: http.ServerResponse, answer: http.IncomingMessage): void {
  response.sendDate = false;
  const reason = answer.statusMessage ?? "";
  // The list form keeps repeated headers, such as Set-Cookie, separate and in order.
  response.writeHead(answer.statusCode ?? 502, reason, endToEnd(answer));
}

function rawHead(answer: http.IncomingMessage, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${answer.statusCode} ${answer.statusMessage ?? ""}\r\n`;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    text += `${headers[at]}: ${headers[at + 1]}\r\n`;
  }
  return `${text}\r\n`;
}
