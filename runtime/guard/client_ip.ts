import {
  formatIp,
  type IpAddress,
  type IpNetwork,
  isInNetworks,
  parseIp,
  parseNetworks,
} from "../base/ip.ts";
import { trimBlanks } from "../base/headers.ts";
import type { RequestCtx } from "../request/request_ctx.ts";

export interface Client {
  /** The address in its canonical form; `undefined` without a connection. */
  readonly ip: string | undefined;
  /** Whether a trusted proxy reports that it received the request over HTTPS. */
  readonly isSecure: boolean;
}

export type ClientLookup = (c: Pick<RequestCtx, "info" | "headers">) => Client;

/** The maximum number of proxies in a forwarded list; entries further away are not trusted. */
const maxHops = 32;

/** Ignores `X-Forwarded-*` of a peer that is not trusted: any client could forge it. */
export function compileClient(trustedProxies: readonly string[]): ClientLookup {
  const setting = "config.trustedProxies, FW_TRUSTED_PROXIES";
  const networks = parseNetworks(trustedProxies, setting, "the proxy ");
  let known: Peer = { hostname: "", ip: undefined, isTrusted: false };
  return ({ info, headers }) => {
    const address = info?.remoteAddr;
    const hostname = address !== undefined && "hostname" in address ? address.hostname : undefined;
    if (hostname === undefined) return { ip: undefined, isSecure: false };
    // Consecutive requests often come from the same proxy.
    if (known.hostname !== hostname) known = describePeer(hostname, networks);
    const { ip, isTrusted } = known;
    if (!isTrusted || ip === undefined) return { ip, isSecure: false };
    const { ip: client, hops } = walkForwarded(headers.get("x-forwarded-for"), ip, networks);
    return { ip: client, isSecure: isSecureAt(headers.get("x-forwarded-proto"), hops) };
  };
}

interface Peer {
  readonly hostname: string;
  readonly ip: string | undefined;
  readonly isTrusted: boolean;
}

function describePeer(hostname: string, networks: readonly IpNetwork[]): Peer {
  const address = parseIp(hostname);
  if (address === undefined) return { hostname, ip: undefined, isTrusted: false };
  return { hostname, ip: formatIp(address), isTrusted: isInNetworks(address, networks) };
}

/**
 * Walks the list from the right. Each proxy has appended the address of its peer, so the first untrusted
 * address is the client, and entries to its left may be forged. If an entry is not an address, the result is
 * the proxy that forwarded it.
 */
function walkForwarded(
  list: string | null,
  peer: string,
  networks: readonly IpNetwork[],
): { ip: string; hops: number } {
  let ip = peer;
  let hops = 0;
  for (const entry of list?.split(",").slice(-maxHops).reverse() ?? []) {
    const address = parseEntry(trimBlanks(entry));
    if (address === undefined) break;
    hops++;
    ip = formatIp(address);
    if (!isInNetworks(address, networks)) break;
  }
  return { ip, hops };
}

function parseEntry(text: string): IpAddress | undefined {
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  if (bracketed !== undefined) return bracketed.includes(":") ? parseIp(bracketed) : undefined;
  return parseIp(/^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text);
}

/**
 * Reports whether the client came over HTTPS, according to the proxy that accepted the connection:
 * in a list, the entry at the position of the client's address. A proxy that replaces the header
 * leaves a single entry.
 */
function isSecureAt(list: string | null, hops: number): boolean {
  const schemes = list?.split(",") ?? [];
  const scheme = schemes[Math.max(0, schemes.length - Math.max(1, hops))] ?? "";
  return trimBlanks(scheme).toLowerCase() === "https";
}
