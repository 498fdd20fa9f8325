import { httpError } from "../base/errors/errors.ts";
import { clientKey } from "../base/client_key.ts";
import type { Upgrade, UpgradeOptions } from "../base/ctx/answers.ts";
import { isListed, isOwnOrigin } from "../guard/csrf.ts";
import type { Exchange } from "../request/exchange.ts";

/** How long a socket that has not opened keeps its place. */
const handshakeMs = 5_000;

/** A socket whose handshake is not finished. */
interface Handshake {
  readonly client: string;
  readonly endMs: number;
}

/** The open sockets of an application. */
export class Sockets {
  readonly #open: Set<WebSocket> = new Set();
  readonly #perClient: Map<string, number> = new Map();
  /** The oldest first. */
  readonly #handshakes: Map<WebSocket, Handshake> = new Map();
  readonly #now: () => number;

  /** @param now Returns the time in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Refuses one socket too many: the platform keeps what a client sends until the application has read it, so
   * each one may hold memory.
   *
   * @throws {HttpError} 503 for too many in all, 429 for too many of one client.
   */
  checkRoom(client: string, { maxSockets = 4_096, maxPerClient = 64 }: UpgradeOptions): void {
    this.#dropAborted();
    if (this.#open.size >= maxSockets) {
      throw httpError(503, "too many sockets are open", { code: "too_many_sockets" });
    }
    if ((this.#perClient.get(client) ?? 0) >= maxPerClient) {
      throw httpError(429, "too many sockets of this client are open", {
        code: "too_many_sockets",
      });
    }
  }

  /** Tracks a socket of a client until it closes. */
  add(socket: WebSocket, client: string): void {
    this.#count(socket, client);
    this.#handshakes.set(socket, { client, endMs: this.#now() + handshakeMs });
    socket.addEventListener("open", () => {
      this.#handshakes.delete(socket);
      this.#count(socket, client);
    });
    socket.addEventListener("close", () => {
      this.#handshakes.delete(socket);
      this.#remove(socket, client);
    });
  }

  /** Frees the places of sockets that did not open in time: no event tells that a client left before. */
  #dropAborted(): void {
    if (this.#handshakes.size === 0) return;
    const nowMs = this.#now();
    for (const [socket, { client, endMs }] of this.#handshakes) {
      if (endMs > nowMs) return;
      this.#handshakes.delete(socket);
      this.#remove(socket, client);
    }
  }

  #count(socket: WebSocket, client: string): void {
    if (this.#open.has(socket)) return;
    this.#open.add(socket);
    this.#perClient.set(client, (this.#perClient.get(client) ?? 0) + 1);
  }

  #remove(socket: WebSocket, client: string): void {
    if (!this.#open.delete(socket)) return;
    const left = (this.#perClient.get(client) ?? 1) - 1;
    if (left > 0) this.#perClient.set(client, left);
    else this.#perClient.delete(client);
  }

  /** Closes all sockets with "going away" (RFC 6455, section 7.4.1). */
  close(): void {
    for (const socket of [...this.#open]) socket.close(1001, "the server is shutting down");
  }
}

/**
 * Implements `c.upgrade`.
 *
 * @throws {HttpError} 426 for a request that asks for no WebSocket, 403 for one from another site, 429 and 503
 * for one too many.
 * @throws {TypeError} where the listener cannot hand its connection over.
 */
export function upgradeRequest(
  c: Exchange,
  options: UpgradeOptions & { readonly sockets: Sockets },
): Upgrade {
  if (c.app.config.listener === "node") {
    throw new TypeError(
      'Cannot upgrade the connection: config.listener is "node", which hands no connection over; ' +
        'set it to "deno".',
    );
  }
  const { headers } = c.request;
  if (headers.get("upgrade")?.toLowerCase() !== "websocket") {
    throw httpError(426, "this address speaks WebSocket only", {
      code: "upgrade_required",
      headers: { upgrade: "websocket", connection: "upgrade" },
    });
  }
  refuseForeignOrigin(c, headers.get("origin"));
  const { sockets, protocol, idleTimeoutSeconds } = options;
  // Afterwards the headers are gone: read here what the log and the security events need.
  void c.log;
  // Clients without an address share their number, and so do those of one IPv6 network.
  const client = clientKey(c.clientIp);
  sockets.checkRoom(client, options);
  const upgrade = Deno.upgradeWebSocket(c.request, {
    ...(protocol === undefined ? {} : { protocol }),
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeout: idleTimeoutSeconds }),
  });
  sockets.add(upgrade.socket, client);
  return upgrade;
}

/**
 * Refuses a page of another site: browsers send cookies with a WebSocket from any origin, and no preflight
 * (cross-site WebSocket hijacking, OWASP). The scheme counts too: a page without TLS can be anyone's on the
 * way. A client without `Origin` is no browser.
 */
function refuseForeignOrigin(c: Exchange, origin: string | null): void {
  if (origin === null || isOwnOrigin(c, origin) || isListed(c, origin)) return;
  const own = `${c.isSecure ? "https" : "http"}://${c.target.host}`;
  const message = c.env === "dev"
    ? `the Origin ${JSON.stringify(origin)} is not this application's, ${JSON.stringify(own)}; ${
      fixOf(c, { origin, own })
    }`
    : "this origin may not open a WebSocket here";
  c.app.security.report(c, "auth", { reason: "websocket-origin" });
  throw httpError(403, message, { code: "origin_refused" });
}

function fixOf(
  c: Exchange,
  { origin, own }: { readonly origin: string; readonly own: string },
): string {
  const isBehindTls = !c.isSecure && origin === own.replace("http:", "https:");
  return isBehindTls
    ? "list the proxy that ends TLS in config.trustedProxies (FW_TRUSTED_PROXIES) and let it send " +
      "X-Forwarded-For and X-Forwarded-Proto"
    : "list it by name in config.cors.origins, or in the CORS of the route, if its pages may open a " +
      'WebSocket here ("*" lists none)';
}
