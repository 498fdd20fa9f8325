import { formatIp, parseIp } from "../base/ip.ts";
import { ProcessConnection } from "../request/request_ctx.ts";
import type { Env } from "../base/env.ts";

export type HostCheck = (
  host: string,
  header: string | null,
  info?: Deno.ServeHandlerInfo,
) => boolean;

/**
 * Compiles the host check: a link built from a forged `Host` would lead to the attacker. Port and case are
 * ignored; `*.example.com` allows exactly one more label. In development `localhost`, names below it and
 * addresses always pass, but no unlisted name: a site whose name was made to resolve here (DNS rebinding)
 * could read the source code on an error page.
 *
 * @returns `undefined` where any host is allowed: in production without a list.
 * @throws {TypeError} naming the setting, its value and the fix.
 */
export function compileHosts(patterns: readonly string[], env: Env): HostCheck | undefined {
  const isOpen = patterns.length === 0;
  if (isOpen && env === "prod") return undefined;
  const allowed = new Set(patterns.map(parseHostPattern));
  let known = "";
  const isAllowed = (host: string): boolean => {
    if (host === known) return true;
    const name = parseHost(host);
    if (name === undefined) return false;
    const isListed = allowed.has(name) || allowed.has(`*${name.slice(name.indexOf("."))}`) ||
      (env === "dev" && (/(?:^|\.)localhost$/.test(name) || parseIp(name) !== undefined));
    // Most servers have one host, so the next request needs only a comparison.
    if (isListed) known = host;
    return isListed;
  };
  return (host, header, info) =>
    (isAllowed(host) && (header === null || isAllowed(header))) ||
    (isOpen && info instanceof ProcessConnection);
}

function parseHost(host: string): string | undefined {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::\d{0,5})?$/.exec(host) ?? [];
  if (plain !== undefined) {
    // A final dot makes a name absolute (RFC 3986, section 3.2.2): it is the same host.
    const name = plain.toLowerCase().replace(/\.$/, "");
    return name === "" || name.startsWith(".") ? undefined : name;
  }
  const address = bracketed === undefined ? undefined : parseIp(bracketed);
  return address === undefined ? undefined : formatIp(address);
}

function parseHostPattern(pattern: string): string {
  const text = parseIp(pattern) === undefined || !pattern.includes(":") ? pattern : `[${pattern}]`;
  const name = parseHost(text);
  const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
  const labels = name?.replace(/^\*\./, "").split(".") ?? [];
  if (name !== undefined && (parseIp(name) || labels.every((part) => label.test(part)))) {
    return name;
  }
  throw new TypeError(
    `Cannot allow the host "${pattern}" (config.allowedHosts, FW_ALLOWED_HOSTS): ${
      fixOf(pattern)
    }.`,
  );
}

function fixOf(pattern: string): string {
  const ascii = /\P{ASCII}/u.test(pattern) ? URL.parse(`http://${pattern}`)?.hostname : undefined;
  if (ascii !== undefined) return `write "${ascii}", as browsers do`;
  const fix = 'write a name such as "example.com" or "*.example.com", without scheme and path';
  return pattern === "*" ? `${fix}; leave the list empty to allow any host` : fix;
}
