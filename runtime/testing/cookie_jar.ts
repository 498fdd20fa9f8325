import { randomToken } from "../base/crypto.ts";
import { trimBlanks } from "../base/headers.ts";

interface KeptCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly expiresMs: number;
}

/** The maximum total bytes of name and value that browsers keep. */
const maxCookieBytes = 4_096;

/**
 * Keeps cookies as a browser does for one host (RFC 6265bis, sections 5.6 to 5.8): it respects path,
 * `Max-Age` and `Expires` (as `Date.parse` reads it) and drops cookies that browsers refuse. Like browsers,
 * it keeps `Secure` cookies of `localhost` over HTTP too.
 */
export class CookieJar {
  /** The CSRF token of a client without the cookie: the same for all its requests, as in a browser. */
  readonly csrfToken = randomToken();
  readonly #cookies: Map<string, KeptCookie> = new Map();

  store(setCookies: readonly string[], url: string): void {
    for (const text of setCookies) {
      const cookie = parseSetCookie(text, new URL(url));
      if (cookie !== undefined) this.keep(cookie);
    }
  }

  keep(cookie: KeptCookie): void {
    // Neither a path nor a name contains NUL.
    const at = `${cookie.path}\0${cookie.name}`;
    if (cookie.expiresMs > Date.now()) this.#cookies.set(at, cookie);
    else this.#cookies.delete(at);
  }

  /** Returns the cookies for a path, those of longer paths first; of two with one name, the first wins. */
  find(requestPath: string): Map<string, string> {
    const sent = [...this.#cookies.values()]
      .filter((cookie) => cookie.expiresMs > Date.now() && isUnder(cookie.path, requestPath))
      .sort((a, b) => b.path.length - a.path.length);
    const found = new Map<string, string>();
    for (const { name, value } of sent) if (!found.has(name)) found.set(name, value);
    return found;
  }
}

function isUnder(path: string, requestPath: string): boolean {
  if (!requestPath.startsWith(path)) return false;
  return path.endsWith("/") || requestPath.length === path.length ||
    requestPath[path.length] === "/";
}

function parseSetCookie(
  text: string,
  { hostname, pathname, protocol }: URL,
): KeptCookie | undefined {
  const [pair = "", ...parts] = text.split(";");
  const [name, value] = splitPair(pair);
  if (name === "" || value === undefined) return undefined;
  if (new TextEncoder().encode(name + value).length > maxCookieBytes) return undefined;
  const attributes = new Map<string, string>();
  for (const [key, given = ""] of parts.map(splitPair)) attributes.set(key.toLowerCase(), given);
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  if (!isOwnDomain(domain, hostname)) return undefined;
  const given = attributes.get("path") ?? "";
  const isTrusted = protocol === "https:" || /^(?:.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
  const isSecure = attributes.has("secure");
  // Case-insensitive, because a server may compare prefixes that way (RFC 6265bis, section 4.1.3).
  const needsSecure = /^__(?:Secure|Host|Http)-/i.test(name) || attributes.has("partitioned") ||
    /^none$/i.test(attributes.get("samesite") ?? "");
  if (isSecure ? !isTrusted : needsSecure) return undefined;
  if (/^__Host-/i.test(name) && (given !== "/" || domain !== "")) return undefined;
  if (/^__(?:Host-)?Http-/i.test(name) && !attributes.has("httponly")) return undefined;
  const path = given.startsWith("/") ? given : pathname.replace(/\/[^/]*$/, "") || "/";
  return { name, value, path, expiresMs: expiryOf(attributes) };
}

/** Accepts the host and its parent domains, but not a top-level domain or part of an IP address. */
function isOwnDomain(domain: string, host: string): boolean {
  if (domain === "" || domain === host) return true;
  return domain.includes(".") && !/^\[|\.\d+$/.test(host) && host.endsWith(`.${domain}`);
}

function splitPair(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf("=");
  if (equals < 0) return [trimBlanks(text), undefined];
  return [trimBlanks(text.slice(0, equals)), trimBlanks(text.slice(equals + 1))];
}

/** Parses an attribute; a malformed one is ignored (RFC 6265bis, sections 5.6.1 and 5.6.2). */
function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const maxAge = attributes.get("max-age") ?? "";
  if (/^-?\d+$/.test(maxAge)) return Date.now() + Number(maxAge) * 1_000;
  const expiresMs = Date.parse(attributes.get("expires") ?? "");
  return Number.isNaN(expiresMs) ? Infinity : expiresMs;
}
