import type { OpenLimits } from "./config/settings.ts";
import type { Ctx } from "./ctx/ctx.ts";
import { type HttpError, httpError } from "./errors/errors.ts";
import { formatIp, parseIp } from "./ip.ts";

/** The name of a limit that was reached. */
export type OpenBound = keyof OpenLimits;

/**
 * Counts open event streams or sockets by client, by site (a /24 of IPv4, a /48 of IPv6) and in total, so
 * that one client cannot use up the places of all others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { OpenCounter } from "@fw/fw/addon";
 *
 * const counter = new OpenCounter();
 * counter.open("192.0.2.7");
 * assertEquals(counter.reached("192.0.2.7", { client: 1, site: 2, all: 3 }), "client");
 * ```
 */
export class OpenCounter {
  readonly #counts: Map<string, number> = new Map();
  #all = 0;

  /** Returns the narrowest limit that one more from a client (by `c.clientIp`) would exceed. */
  reached(ip: string | undefined, limits: OpenLimits): OpenBound | undefined {
    const [client, site] = openKeys(ip);
    if ((this.#counts.get(client) ?? 0) >= limits.client) return "client";
    if ((this.#counts.get(site) ?? 0) >= limits.site) return "site";
    return this.#all >= limits.all ? "all" : undefined;
  }

  /**
   * Counts one more for a client (by `c.clientIp`); all clients without an address count as one. Returns a
   * function that frees the place; calling it again changes nothing.
   */
  open(ip: string | undefined): () => void {
    const keys = openKeys(ip);
    this.#all++;
    for (const key of keys) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (!isOpen) return;
      isOpen = false;
      this.#all--;
      for (const key of keys) {
        const left = (this.#counts.get(key) ?? 1) - 1;
        if (left > 0) this.#counts.set(key, left);
        else this.#counts.delete(key);
      }
    };
  }
}

function openKeys(ip: string | undefined): readonly [client: string, site: string] {
  const client = clientKey(ip);
  const site = siteOf(client) ?? client.replace(/\.\d+$/, ".0/24");
  return [client, `site ${site}`];
}

/**
 * Returns the key by which limits count a client: the address, or the first 64 bits of an IPv6 address, which
 * one household shares. Clients without an address share a key.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { clientKey } from "@fw/fw/addon";
 *
 * assertEquals(clientKey("2001:db8:1:2::7"), clientKey("2001:db8:1:2::8"));
 * ```
 */
export function clientKey(ip: string | undefined): string {
  if (ip === undefined) return "unknown";
  if (!ip.includes(":")) return ip;
  const address = parseIp(ip);
  return address === undefined ? ip : formatIp([...address.slice(0, 4), 0, 0, 0, 0]);
}

/**
 * Returns the site of an IPv6 client from its `clientKey`: the first 48 bits of its address (RFC 6177);
 * `undefined` for others.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { siteOf } from "@fw/fw/addon";
 *
 * assertEquals(siteOf("2001:db8:1:2::"), "2001:db8:1::/48");
 * ```
 */
export function siteOf(key: string): string | undefined {
  if (!key.includes(":")) return undefined;
  const address = parseIp(key);
  if (address === undefined) return undefined;
  return `${formatIp([...address.slice(0, 3), 0, 0, 0, 0, 0])}/48`;
}

const texts: Readonly<Record<OpenBound, string>> = {
  client: "too many are open from this client",
  site: "too many are open from this network",
  all: "too many are open",
};

/** Returns the 429 for too many streams or sockets, and logs the fix for the operator. */
export function openRefusal(c: Ctx, kind: "stream" | "socket", bound: OpenBound): HttpError {
  c.log.warn(`one ${kind} over the limit was refused`, {
    limit: `config.openLimits.${bound}`,
    ...(bound === "all" ? {} : { fix: "behind a proxy, list it in config.trustedProxies" }),
  });
  return httpError(429, `${texts[bound]}; close one, or try again later`, {
    code: `too_many_${kind}s`,
  });
}
