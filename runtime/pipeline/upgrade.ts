import { httpError } from "../base/errors.ts";
import type { Upgrade, UpgradeOptions } from "../base/types.ts";
import type { Exchange } from "../request/exchange.ts";

/** The open sockets of an application. */
export class Sockets {
  readonly #open: Set<WebSocket> = new Set();

  /** Tracks a socket until it closes. */
  add(socket: WebSocket): void {
    this.#open.add(socket);
    socket.addEventListener("close", () => this.#open.delete(socket));
  }

  /** Closes all sockets with "going away" (RFC 6455, section 7.4.1). */
  close(): void {
    for (const socket of [...this.#open]) socket.close(1001, "the server is shutting down");
  }
}

/**
 * Implements `c.upgrade`.
 *
 * @throws {HttpError} 426 for a request that asks for no WebSocket, 403 for one from another site.
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
  void c.clientIp;
  const upgrade = Deno.upgradeWebSocket(c.request, {
    ...(protocol === undefined ? {} : { protocol }),
    ...(idleTimeoutSeconds === undefined ? {} : { idleTimeout: idleTimeoutSeconds }),
  });
  sockets.add(upgrade.socket);
  return upgrade;
}

/**
 * Refuses a page of another site: browsers send cookies with a WebSocket from any origin, and no preflight
 * (cross-site WebSocket hijacking, OWASP). Schemes are not compared: behind a proxy that ends TLS they differ
 * for honest requests as well. A client without `Origin` is no browser.
 */
function refuseForeignOrigin(c: Exchange, origin: string | null): void {
  if (origin === null || isListed(c, origin)) return;
  const host = c.request.headers.get("host") ?? "";
  if (/^https?:\/\//.test(origin) && origin.slice(origin.indexOf("//") + 2) === host) return;
  const message = c.env === "dev"
    ? `the Origin ${JSON.stringify(origin)} is not this host, ${
      JSON.stringify(host)
    }; list it in ` +
      "config.cors.origins, or in the CORS of the route, if its pages may open a WebSocket here"
    : "this origin may not open a WebSocket here";
  throw httpError(403, message, { code: "origin_refused" });
}

/** Whether the CORS policy lists the origin: that of the route, else that of the application. */
function isListed(c: Exchange, origin: string): boolean {
  return c.cors?.(origin).some(([name]) => name === "access-control-allow-origin") === true;
}
