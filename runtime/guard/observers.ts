import { equalSecrets } from "../base/crypto.ts";
import { formatIp, isInNetworks, parseIp } from "../base/ip.ts";
import { type ObservabilitySettings, parseTrusted } from "../base/config/observability.ts";
import type { RequestCtx } from "../request/request_ctx.ts";

/**
 * The access of a client: allowed to see details, anonymous, refused for a wrong token, or at a trusted address
 * under a host that is not listed.
 */
export type Observer = "authorised" | "anonymous" | "refused" | "foreign-host";

/** Determines the access of a client to metrics and probe details. */
export type ObserverCheck = (
  c: RequestCtx,
  options: {
    /** A host of the request under which a trusted address does not count. */
    readonly foreignHost: string | undefined;
  },
) => Observer;

/** The maximum length of the header; a longer one is ignored. */
const maxHeaderChars = 4_096;

const forwardingHeaders = [
  "x-forwarded-for",
  "forwarded",
  "via",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
];

/**
 * Compiles who may see metrics and probe details: clients with the token (RFC 6750) and clients at trusted
 * addresses. An address counts under a host that is listed, that is an address itself or that is `localhost`;
 * where no host is listed, no other name counts.
 *
 * @throws {TypeError} naming the setting, its value and the fix.
 */
export function compileObservers(
  settings: Pick<ObservabilitySettings, "token" | "trusted">,
): ObserverCheck {
  const { token } = settings;
  const networks = parseTrusted(settings.trusted);
  return (c, { foreignHost }) => {
    const given = c.headers.get("authorization");
    const shown = given === null ? undefined : parseBearer(given);
    if (token !== undefined && shown !== undefined && equalSecrets(shown, token)) {
      return "authorised";
    }
    if (networks.length > 0 && isDirect(c)) {
      const address = c.clientIp === undefined ? undefined : parseIp(c.clientIp);
      if (address !== undefined && isInNetworks(address, networks)) {
        if (foreignHost === undefined) return "authorised";
        if (given === null) return "foreign-host";
      }
    }
    return given === null ? "anonymous" : "refused";
  };
}

/**
 * Returns the token of the header; `undefined` for another scheme, and for two headers, which come joined.
 */
function parseBearer(header: string): string | undefined {
  if (header.length > maxHeaderChars) return undefined;
  return /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(header)?.[1];
}

/**
 * Reports whether the address is the client's own. Behind a proxy that `trustedProxies` does not
 * list, every client has the address of the proxy, which is often a trusted one.
 */
function isDirect({ info, headers, clientIp }: RequestCtx): boolean {
  const address = info?.remoteAddr;
  const peer = address !== undefined && "hostname" in address
    ? parseIp(address.hostname)
    : undefined;
  if (peer === undefined) return false;
  return clientIp !== formatIp(peer) || forwardingHeaders.every((name) => !headers.has(name));
}

/**
 * Finds a host of the request that is neither listed nor an address, as orchestrators write it, nor
 * `localhost`. A page of another site that had its name point here (DNS rebinding) would read with the
 * trusted address of its visitor; it cannot do so by address, since its origin is its name. Where the target
 * is in absolute form, the header may have another host: both count.
 */
export function findForeignHost(
  { target, headers }: RequestCtx,
  isListed: (host: string) => boolean,
): string | undefined {
  const hosts = [target.host, headers.get("host") ?? target.host];
  return hosts.find((host) => !isListed(host) && !isFixed(host));
}

function isFixed(host: string): boolean {
  const name = host.replace(/:\d+$/, "");
  return name.toLowerCase() === "localhost" || parseIp(name.replace(/^\[|\]$/g, "")) !== undefined;
}
