import type { OpenLimits } from "../base/config/settings.ts";
import type { Upgrade, UpgradeOptions } from "../base/ctx/answers.ts";
import { httpError } from "../base/errors/errors.ts";
import { type OpenBound, OpenCounter, openRefusal } from "../base/open_counter.ts";
import { fixHost, isListed, isOwnOrigin } from "../guard/csrf.ts";
import { dropInvalid } from "../request/answer.ts";
import { checkMs, isRefused, type RequestCtx } from "../request/request_ctx.ts";
import type { Runtime } from "./runtime.ts";

/** Maximum time for a socket to open, in milliseconds; then it no longer counts. */
const handshakeMs = 5_000;

/** The open sockets of an application. The platform buffers messages until the application reads them. */
export class Sockets {
  readonly #counter: OpenCounter = new OpenCounter();
  readonly #places: Map<WebSocket, () => void> = new Map();
  /** When the sockets that are not open yet lose their places, the oldest first. */
  readonly #handshakes: Map<WebSocket, number> = new Map();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  reached(ip: string | undefined, limits: OpenLimits): OpenBound | undefined {
    // A client that leaves before the socket opens fires no event.
    for (const [socket, endMs] of this.#handshakes) {
      if (endMs > this.#now()) break;
      this.#drop(socket);
    }
    return this.#counter.reached(ip, limits);
  }

  add(socket: WebSocket, ip: string | undefined): void {
    this.#places.set(socket, this.#counter.open(ip));
    this.#handshakes.set(socket, this.#now() + handshakeMs);
    socket.addEventListener("open", () => {
      this.#handshakes.delete(socket);
      // The place was freed if the handshake took too long.
      if (!this.#places.has(socket)) this.#places.set(socket, this.#counter.open(ip));
    });
    socket.addEventListener("close", () => this.#drop(socket));
  }

  #drop(socket: WebSocket): void {
    this.#places.get(socket)?.();
    this.#places.delete(socket);
    this.#handshakes.delete(socket);
  }

  /** Closes all sockets with "going away" (RFC 6455, section 7.4.1). */
  close(): void {
    for (const socket of this.#places.keys()) socket.close(1001, "the server is shutting down");
  }
}

/**
 * Implements `c.upgrade`.
 *
 * @throws {HttpError} 426 for a request without a WebSocket handshake of version 13, 400 for a malformed
 * handshake, 403 for one from another site, 429 for too many sockets.
 * @throws {TypeError} if the listener cannot hand its connection over.
 */
export function upgradeRequest(
  c: RequestCtx,
  options: UpgradeOptions & { readonly sockets: Sockets },
): Upgrade {
  if (c.upgraded !== undefined) {
    throw new TypeError(
      "Cannot upgrade the connection: it was upgraded already; keep the result of the first call.",
    );
  }
  const { listener, openLimits } = c.app.config;
  if (listener === "node") {
    throw new TypeError(
      'Cannot upgrade the connection: config.listener is "node", which hands no connection over; ' +
        'set it to "deno".',
    );
  }
  const { request } = c;
  const { headers } = request;
  checkHandshake(request);
  refuseForeignOrigin(c, headers.get("origin"));
  const { sockets, idleTimeoutSeconds, limits } = options;
  const bound = sockets.reached(c.clientIp, { ...openLimits, ...limits });
  if (bound !== undefined) throw openRefusal(c, "socket", bound);
  const offered = headers.get("sec-websocket-protocol");
  const protocol = agreeProtocol(offered, options.protocol);
  // The platform finds a subprotocol only in a list with one space after each comma, and throws otherwise.
  const isFound = protocol !== undefined && offered?.split(", ").includes(protocol) === true;
  // The platform takes the headers away: listeners, the log and security events read a copy.
  c.request = new Request(request.url, { headers });
  const { socket, response } = Deno.upgradeWebSocket(request, {
    ...(isFound ? { protocol } : {}),
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeout: idleTimeoutSeconds }),
  });
  if (protocol !== undefined && !isFound) response.headers.set("sec-websocket-protocol", protocol);
  sockets.add(socket, c.clientIp);
  // The request ends with the socket, so loops that wait for `c.signal` end too.
  socket.addEventListener("open", () => {
    c.resume();
    if (c.checks.length > 0) closeOnceRefused(c, socket);
  });
  socket.addEventListener("close", () => {
    c.abort(new DOMException("the socket was closed", "AbortError"));
    c.finish();
  });
  return { socket, response, protocol };
}

/** Closes the socket of a user who was signed out with "policy violation" (RFC 6455, section 7.4.1). */
function closeOnceRefused(c: RequestCtx, socket: WebSocket): void {
  // Random, so that the sockets of clients that connected at once are not all checked in one second.
  const everyMs = checkMs * (1 - Math.random() / 4);
  const timer = setInterval(async () => {
    if (await isRefused(c)) socket.close(1008, "the user was signed out");
  }, everyMs);
  socket.addEventListener("close", () => clearInterval(timer));
}

const token = "[\\w!#$%&'*+.^`|~-]+";
const subprotocols = listOf(token);
const extensions = listOf(
  `${token}(?:[ \\t]*;[ \\t]*${token}(?:=(?:${token}|"(?:[^"\\\\]|\\\\.)*"))?)*`,
);

/** Returns a regular expression for a list (RFC 9110, section 5.6.1.2). */
function listOf(element: string): RegExp {
  return new RegExp(`^(?:[ \\t]*(?:${element}[ \\t]*)?(?:,|$))*$`);
}

/**
 * Checks the client's handshake (RFC 6455, section 4.2.1; RFC 9110, section 7.8). The platform does not
 * report the HTTP version, so an HTTP/1.0 handshake cannot be refused.
 */
function checkHandshake({ method, headers }: Request): void {
  const upgrade = { upgrade: "websocket", connection: "upgrade" };
  if (!hasToken(headers, "upgrade", "websocket") || !hasToken(headers, "connection", "upgrade")) {
    throw httpError(426, "this address speaks WebSocket only", {
      code: "upgrade_required",
      headers: upgrade,
    });
  }
  if (headers.get("sec-websocket-version") !== "13") {
    throw httpError(426, "this address speaks WebSocket version 13", {
      code: "websocket_version",
      headers: { ...upgrade, "sec-websocket-version": "13" },
    });
  }
  // The key is 16 bytes in Base64, in a single header.
  const hasKey = /^[A-Za-z0-9+/]{22}==$/.test(headers.get("sec-websocket-key") ?? "");
  const isFormed = subprotocols.test(headers.get("sec-websocket-protocol") ?? "") &&
    extensions.test(headers.get("sec-websocket-extensions") ?? "");
  if (method === "GET" && hasKey && isFormed) return;
  throw httpError(400, "the WebSocket handshake is malformed", { code: "websocket_handshake" });
}

function hasToken(headers: Headers, name: string, token: string): boolean {
  return parseTokens(headers.get(name)).some((one) => one.toLowerCase() === token);
}

function parseTokens(header: string | null): string[] {
  return (header ?? "").split(",").map((part) => part.trim()).filter((part) => part !== "");
}

/** Returns the first subprotocol of the server that the client offers; names are case-sensitive. */
function agreeProtocol(
  offered: string | null,
  spoken: UpgradeOptions["protocol"] = [],
): string | undefined {
  const tokens = new Set(parseTokens(offered));
  return (typeof spoken === "string" ? [spoken] : spoken).find((protocol) => tokens.has(protocol));
}

/**
 * Refuses a page of another site: browsers send cookies with a WebSocket from any origin, and no preflight
 * (cross-site WebSocket hijacking, OWASP). The scheme is compared too: anyone on the network path can forge a
 * page without TLS. A client without `Origin` is not a browser.
 */
function refuseForeignOrigin(c: RequestCtx, origin: string | null): void {
  // Behind a proxy that changes the Host, only the browser knows that the page is the application's.
  const isOwn = c.headers.get("sec-fetch-site")?.toLowerCase() === "same-origin";
  if (isOwn || origin === null || isOwnOrigin(c, origin) || isListed(c, origin)) return;
  const own = `${c.isSecure ? "https" : "http"}://${c.target.host}`;
  const message = c.env === "dev"
    ? `the Origin ${JSON.stringify(origin)} is not this application's, ${JSON.stringify(own)}; ` +
      `${fixHost(c, origin)}, list the proxy that ends TLS in config.trustedProxies ` +
      "(FW_TRUSTED_PROXIES), or list the origin by name in config.cors.origins, or in the CORS of " +
      "the route, if its pages may open a WebSocket here"
    : "this origin may not open a WebSocket here";
  c.app.security.report(c, "auth", { reason: "websocket-origin" });
  throw httpError(403, message, { code: "origin_refused" });
}

/**
 * Ends a request whose connection was handed over, with the response of the upgrade: any other response would
 * stop the server. If the handler failed or returned another response, the socket is closed.
 */
export function endUpgrade(
  c: RequestCtx,
  { socket, response }: Upgrade,
  { meter, accessLog, isFailed }: Pick<Runtime, "meter" | "accessLog"> & {
    readonly isFailed: boolean;
  },
): Response {
  if (isFailed) socket.addEventListener("open", () => socket.close(1011, "the handler failed"));
  c.answer.state = "sealed";
  c.finish();
  meter?.end(c, 101);
  accessLog.write(c, 101);
  return dropInvalid(c, response);
}
