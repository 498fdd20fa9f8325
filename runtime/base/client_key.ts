import { formatIp, parseIp } from "./ip.ts";

/**
 * Returns the key by which limits count a client: the address, of IPv6 its first 64 bits, which one household or
 * server has to itself. Clients without an address share a key.
 *
 * @param ip The address, `c.clientIp`.
 * @returns The key.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { clientKey } from "@fw/fw/addon";
 *
 * assertEquals(clientKey("2001:db8:1:2::7"), clientKey("2001:db8:1:2::8"));
 * assertEquals(clientKey("192.0.2.7"), "192.0.2.7");
 * ```
 */
export function clientKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  if (!ip.includes(":")) return ip;
  const address = parseIp(ip);
  return address === undefined ? ip : formatIp([...address.slice(0, 4), 0, 0, 0, 0]);
}

/**
 * Returns the site of a client of IPv6, the first 48 bits of its address (RFC 6177); of others nothing.
 *
 * @param key What `clientKey` returned.
 * @returns The network, or `undefined`.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { siteOf } from "@fw/fw/addon";
 *
 * assertEquals(siteOf("2001:db8:1:2::"), "2001:db8:1::/48");
 * assertEquals(siteOf("192.0.2.7"), undefined);
 * ```
 */
export function siteOf(key: string): string | undefined {
  if (!key.includes(":")) return undefined;
  const address = parseIp(key);
  if (address === undefined) return undefined;
  return `${formatIp([...address.slice(0, 3), 0, 0, 0, 0, 0])}/48`;
}
