/** The listen address of the development server, and the hosts that it accepts. */
import { once } from "node:events";
import type * as http from "node:http";
import { parseEnv } from "node:util";
import type { Io } from "../io.ts";

export interface DevAddress {
  /** The host name or address; `undefined` means every interface. */
  readonly hostname: string | undefined;
  /** The port; 0 chooses a free one. */
  readonly port: number;
}

/** Parses an address. A port alone is local: error pages show source code. */
export function parseDevAddress(text: string): DevAddress | undefined {
  const match = /^(?:(\[[0-9a-fA-F:.]+(?:%[\w.-]+)?\]|[^:[\]\s/]*)(:))?(\d{1,5})$/.exec(
    text.trim(),
  );
  if (match === null) return undefined;
  const port = Number(match[3]);
  if (port > 65_535) return undefined;
  if (match[2] === undefined) return { hostname: "localhost", port };
  const host = (match[1] ?? "").replace(/^\[|\]$/g, "");
  return { hostname: host === "" ? undefined : host, port };
}

/** A host without a port. Any other name is more likely a typo than a host of this machine. */
const hostAlone = /^(?:\[[0-9a-f:.]+(?:%[\w.-]+)?\]|\d+(?:\.\d+){3}|localhost)$/i;

/** Chooses the flag, then `ADDR`, then `localhost`; without a port, `PORT` or 3000. */
export function chooseAddress(flag: string | undefined, env: Io["env"]): string {
  const text = (flag ?? env["ADDR"])?.trim() || "localhost";
  return hostAlone.test(text) ? `${text}:${env["PORT"] || "3000"}` : text;
}

export function urlOf(address: DevAddress): string {
  const { hostname, port } = address;
  const isEvery = hostname === undefined || hostname === "0.0.0.0" || hostname === "::";
  const host = isEvery ? "localhost" : hostname.includes(":") ? `[${hostname}]` : hostname;
  return `http://${host}:${port}`;
}

export interface Listeners {
  readonly port: number;
  close(): Promise<void>;
}

/** Listens on an address; for `localhost` on both local ones, because clients differ. @throws The system's error. */
export async function listenOn(
  { hostname, port }: DevAddress,
  newServer: () => http.Server,
): Promise<Listeners> {
  const servers: http.Server[] = [];
  const close = async (): Promise<void> => void await Promise.all(servers.map(closeServer));
  let at = port;
  let missing: unknown;
  for (const host of hostsOf(hostname)) {
    // "::" accepts IPv4 too; "0.0.0.0" is the fallback for a machine without IPv6.
    if (hostname === undefined && servers.length > 0) break;
    const server = newServer();
    try {
      await once(server.listen({ host, port: at }), "listening");
    } catch (error) {
      missing = error;
      const code = error instanceof Error && "code" in error ? error.code : undefined;
      // The machine lacks the address: `EINVAL` in Deno, `EADDRNOTAVAIL` in Node.
      if (/^(?:EAFNOSUPPORT|EADDRNOTAVAIL|EINVAL)$/.test(String(code))) continue;
      await close();
      throw error;
    }
    servers.push(server);
    const bound = server.address();
    if (typeof bound === "object" && bound !== null) at = bound.port;
  }
  if (servers.length === 0) throw missing;
  return { port: at, close };
}

function hostsOf(hostname: string | undefined): readonly string[] {
  if (hostname === undefined) return ["::", "0.0.0.0"];
  return hostname.toLowerCase() === "localhost" ? ["127.0.0.1", "::1"] : [hostname];
}

function closeServer(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/**
 * Reports whether a request's host is accepted: this machine, an address, or a listed name. Another
 * name may belong to a site that resolves to this machine in order to read its responses (DNS
 * rebinding).
 */
export function isHostAllowed(host: string | undefined, listed: () => readonly string[]): boolean {
  if (host === undefined) return true;
  const name = nameOf(host);
  if (name === undefined) return false;
  if (name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const wildcard = name.includes(".") ? `*${name.slice(name.indexOf("."))}` : name;
  return listed().some((pattern) => {
    const allowed = nameOf(pattern);
    return allowed === name || allowed === wildcard;
  });
}

/** Returns the name without port and final dot, in lower case; an IPv6 address keeps its brackets. */
function nameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[^\s:[\]/]+?)\.?(?::\d{0,5})?$/.exec(host.trim().toLowerCase())?.[1];
}

/** Reads the allowed hosts from the environment, or else from the text of a `.env` file. */
export function listedHosts(value: string | undefined, envText: () => string): readonly string[] {
  const text = value ?? parseEnv(envText())["FW_ALLOWED_HOSTS"] ?? "";
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}
