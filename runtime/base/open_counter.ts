import { clientKey, siteOf } from "./client_key.ts";
import type { OpenLimits } from "./config/settings.ts";

/** A bound that is reached, as the limits name it. */
export type OpenBound = keyof OpenLimits;

/**
 * Counts what stays open beyond a response, by client, by site (a /24 of IPv4, a /48 of IPv6) and in all: one
 * client must not take the places of all others. Each kind, for example event streams or sockets, has its own
 * counter.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { OpenCounter } from "@fw/fw/addon";
 *
 * const counter = new OpenCounter();
 * const limits = { client: 1, site: 2, all: 3 };
 * const close = counter.open("192.0.2.7");
 * assertEquals(counter.reached("192.0.2.7", limits), "client");
 * assertEquals(counter.reached("192.0.2.8", limits), undefined);
 * close();
 * assertEquals(counter.reached("192.0.2.7", limits), undefined);
 * ```
 */
export class OpenCounter {
  readonly #counts: Map<string, number> = new Map();
  #all = 0;

  /**
   * Returns the bound that one more of a client would exceed, the narrowest first.
   *
   * @param ip The address, `c.clientIp`; clients without one count as one client.
   */
  reached(ip: string | undefined, limits: OpenLimits): OpenBound | undefined {
    const [client, site] = openKeys(ip);
    if ((this.#counts.get(client) ?? 0) >= limits.client) return "client";
    if ((this.#counts.get(site) ?? 0) >= limits.site) return "site";
    return this.#all >= limits.all ? "all" : undefined;
  }

  /**
   * Counts one more of a client.
   *
   * @returns A function that frees its place; calling it again changes nothing.
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

/** Returns the names under which a client and its site are counted. */
export function openKeys(ip: string | undefined): readonly [client: string, site: string] {
  const client = clientKey(ip);
  const site = siteOf(client) ?? client.replace(/\.\d+$/, ".0/24");
  return [client, `site ${site}`];
}
