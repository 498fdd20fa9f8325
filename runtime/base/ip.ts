/** An address as groups of 16 bits: two for IPv4, eight for IPv6. */
export type IpAddress = readonly number[];

/** A network: every address that begins with the same bits. */
export interface IpNetwork {
  readonly address: IpAddress;
  readonly bits: number;
}

/** The maximum length of an address: IPv6 with an embedded IPv4 address and a zone. */
const maxChars = 128;

/**
 * Reads an address: IPv4 in dotted decimals (RFC 6943, section 3.1.1, the strict form), IPv6 in any of its
 * forms (RFC 4291). A zone is dropped, since the sender chooses it. An IPv4-mapped IPv6 address
 * (`::ffff:192.0.2.1`) is read as the IPv4 address. Anything else is `undefined`.
 */
export function parseIp(text: string): IpAddress | undefined {
  if (text.length > maxChars) return undefined;
  if (!text.includes(":")) return parseIpv4(text);
  const zone = text.indexOf("%");
  if (zone >= 0 && !/^%[A-Za-z0-9._~-]+$/.test(text.slice(zone))) return undefined;
  const groups = parseIpv6(zone < 0 ? text : text.slice(0, zone));
  return groups !== undefined && isMapped(groups) ? groups.slice(6) : groups;
}

function parseIpv4(text: string): IpAddress | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  if (match === null) return undefined;
  const octets: number[] = [];
  for (const part of match.slice(1)) {
    // Some parsers read a leading zero as octal; rejecting it keeps the address unambiguous.
    if (Number(part) > 255 || (part.length > 1 && part.startsWith("0"))) return undefined;
    octets.push(Number(part));
  }
  const [a = 0, b = 0, c = 0, d = 0] = octets;
  return [a * 256 + b, c * 256 + d];
}

/** Reads the canonical form (RFC 5952) that the URL parser writes. */
function parseIpv6(text: string): IpAddress | undefined {
  if (!/^[0-9a-fA-F:.]+$/.test(text)) return undefined;
  const canonical = URL.parse(`http://[${text}]`)?.hostname.slice(1, -1);
  if (canonical === undefined) return undefined;
  const [head = [], tail = []] = canonical.split("::").map((half) =>
    half === "" ? [] : half.split(":").map((group) => parseInt(group, 16))
  );
  return [...head, ...new Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

function isMapped(groups: IpAddress): boolean {
  return groups.length === 8 && groups[5] === 0xffff &&
    groups.slice(0, 5).every((group) => group === 0);
}

/** Writes an address in its one canonical form (RFC 5952). */
export function formatIp(address: IpAddress): string {
  if (address.length === 2) return address.map((pair) => `${pair >> 8}.${pair & 255}`).join(".");
  const groups = address.map((group) => group.toString(16)).join(":");
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}

/** Reads a CIDR such as `2001:db8::/32` (RFC 4632), or one address; `undefined` for anything else. */
export function parseNetwork(text: string): IpNetwork | undefined {
  const [before = "", after, ...rest] = text.split("/");
  if (rest.length > 0 || before.includes("%")) return undefined;
  const address = parseIp(before);
  if (address === undefined) return undefined;
  const most = before.includes(":") ? 128 : 32;
  if (after === undefined) return { address, bits: address.length * 16 };
  if (!/^(?:0|[1-9]\d{0,2})$/.test(after) || Number(after) > most) return undefined;
  // The prefix of an IPv4-mapped network includes the 96 bits before the IPv4 address.
  const bits = Number(after) - (most - address.length * 16);
  return bits < 0 ? undefined : { address, bits };
}

export function isInNetworks(address: IpAddress, networks: readonly IpNetwork[]): boolean {
  return networks.some((network) => isInNetwork(address, network));
}

function isInNetwork(address: IpAddress, { address: first, bits }: IpNetwork): boolean {
  return address.length === first.length && first.every((group, index) => {
    const own = Math.min(Math.max(bits - 16 * index, 0), 16);
    return group >> (16 - own) === (address[index] ?? 0) >> (16 - own);
  });
}

/** Checks whether a host name, as `URL.hostname` returns it, always means this machine. */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Reads the networks of a setting, such as `config.trustedProxies, FW_TRUSTED_PROXIES`.
 *
 * @throws {TypeError} naming the setting, its value and the fix.
 */
export function parseNetworks(texts: readonly string[], setting: string, what = ""): IpNetwork[] {
  return texts.map((text) => {
    const network = parseNetwork(text);
    if (network !== undefined) return network;
    throw new TypeError(
      `Cannot trust ${what}"${text}" (${setting}): write an address or a CIDR such as "10.0.0.0/8".`,
    );
  });
}
