import { randomToken } from "../base/crypto.ts";
import { trimBlanks } from "../base/headers.ts";

interface KeptCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly expiresMs: number;
}

/** The most bytes of name and value together that browsers keep, and of an attribute that they read. */
const maxCookieBytes = 4_096;
const maxAttributeBytes = 1_024;

/**
 * Keeps cookies as a browser does for one host (RFC 6265bis, sections 5.6 to 5.8): path, `Max-Age` and
 * `Expires` (as `Date.parse` reads it) count, and what browsers refuse is not kept. For `localhost` `Secure`
 * cookies are kept over HTTP too, as browsers do.
 */
export class CookieJar {
  /** The CSRF token of a client without the cookie: one for all its requests, as a browser has. */
  readonly csrfToken = randomToken();
  readonly #cookies: Map<string, KeptCookie> = new Map();

  store(setCookies: readonly string[], url: string): void {
    for (const text of setCookies) {
      const cookie = parseSetCookie(text, new URL(url));
      if (cookie !== undefined) this.keep(cookie);
    }
  }

  keep(cookie: KeptCookie): void {
    // A NUL is in no path and in no name.
    const at = `${cookie.path}\0${cookie.name}`;
    if (cookie.expiresMs > Date.now()) this.#cookies.set(at, cookie);
    else this.#cookies.delete(at);
  }

  /** Returns the cookies for a path, those of longer paths first; of two of one name the first counts. */
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
  const [name = "", value] = splitPair(pair);
  // deno-lint-ignore no-control-regex -- browsers refuse control characters
  const isMalformed = name === "" || value === undefined || /[\0-\x08\x0a-\x1f\x7f]/.test(text);
  if (isMalformed || byteLength(name + value) > maxCookieBytes) return undefined;
  const attributes = new Map<string, string>();
  for (const part of parts) {
    const [written = "", given = ""] = splitPair(part);
    const attribute = written.toLowerCase();
    if (!isIgnored(attribute, given)) attributes.set(attribute, given);
  }
  const given = attributes.get("path") ?? "";
  const path = given.startsWith("/") ? given : pathname.replace(/\/[^/]*$/, "") || "/";
  const domain = attributes.get("domain")?.replace(/^\./, "").toLowerCase() ?? "";
  if (!isOwnDomain(domain, hostname)) return undefined;
  // Names count in any case: a server may compare them so (RFC 6265bis, section 4.1.3).
  const isSecure = attributes.has("secure");
  if (/^__Secure-/i.test(name) && !isSecure) return undefined;
  const isTrusted = protocol === "https:" || /^(?:.+\.)?localhost$|^127\.|^\[::1\]$/.test(hostname);
  if (isSecure && !isTrusted) return undefined;
  const isOfHost = isSecure && given === "/" && domain === "";
  if (/^__Host-/i.test(name) && !isOfHost) return undefined;
  const isHidden = isSecure && attributes.has("httponly");
  if (/^__(?:Host-)?Http-/i.test(name) && !isHidden) return undefined;
  const isForeign = /^none$/i.test(attributes.get("samesite") ?? "") ||
    attributes.has("partitioned");
  if (isForeign && !isSecure) return undefined;
  return { name, value, path, expiresMs: expiryOf(attributes) };
}

function splitPair(text: string): [name: string, value: string | undefined] {
  const equals = text.indexOf("=");
  if (equals < 0) return [trimBlanks(text), undefined];
  return [trimBlanks(text.slice(0, equals)), trimBlanks(text.slice(equals + 1))];
}

/** Not the end of an address, nor a public suffix: one without a dot, and one such as `co.uk`. */
function isOwnDomain(domain: string, host: string): boolean {
  if (domain === "" || domain === host) return true;
  const isSuffix = !domain.includes(".") ||
    /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(domain);
  return !isSuffix && !/^\[|\.\d+$/.test(host) && host.endsWith(`.${domain}`);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Reports whether an attribute is ignored (RFC 6265bis, sections 5.6.1 and 5.6.2). */
function isIgnored(name: string, value: string): boolean {
  if (byteLength(value) > maxAttributeBytes) return true;
  if (name === "max-age") return !/^-?\d+$/.test(value);
  return name === "expires" && Number.isNaN(Date.parse(value));
}

function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1_000;
  const expires = attributes.get("expires");
  return expires === undefined ? Infinity : Date.parse(expires);
}
