import type * as http from "node:http";
import type { DevAddress } from "./address.ts";

export interface Listeners {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Listens on an address: without a host on every interface, IPv6 and IPv4; for `localhost` on both
 * local addresses, because clients differ in which one they try.
 *
 * @throws The system's error if it cannot listen there.
 */
export async function listenOn(
  address: DevAddress,
  newServer: () => http.Server,
): Promise<Listeners> {
  const { hostname } = address;
  const servers: http.Server[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(servers.map(closeServer));
  };
  let { port } = address;
  let missing: unknown;
  try {
    for (const host of hostsOf(hostname)) {
      // "::" accepts IPv4 too; "0.0.0.0" is the fallback for a machine without IPv6.
      if (hostname === undefined && servers.length > 0) break;
      const server = newServer();
      try {
        await listen(server, { host, port });
      } catch (error) {
        if (!isMissingAddress(error)) throw error;
        missing = error;
        continue;
      }
      servers.push(server);
      const bound = server.address();
      if (typeof bound === "object" && bound !== null) port = bound.port;
    }
    if (servers.length === 0) throw missing;
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

function hostsOf(hostname: string | undefined): readonly string[] {
  if (hostname === undefined) return ["::", "0.0.0.0"];
  return hostname.toLowerCase() === "localhost" ? ["127.0.0.1", "::1"] : [hostname];
}

/**
 * Reports whether the machine lacks the address, such as "::1" without IPv6. Deno reports it as
 * `EINVAL`, Node as `EADDRNOTAVAIL`.
 */
export function isMissingAddress(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "EAFNOSUPPORT" || code === "EADDRNOTAVAIL" || code === "EINVAL";
}

function listen(
  server: http.Server,
  where: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(where, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
