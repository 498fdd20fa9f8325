import { randomToken } from "../base/crypto.ts";
import { trimBlanks } from "../base/headers.ts";

/** A cookie that a client keeps. */
interface KeptCookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  /** When it is forgotten, in milliseconds since 1970. */
  readonly expiresMs: number;
}

/**
 * Keeps cookies as a browser does for one host (RFC 6265, sections 5.3 and 5.4): path, `Max-Age` and
 * `Expires` count. `Secure` cookies are sent over HTTP too, as browsers do for `localhost`.
 */
export class CookieJar {
  /** The CSRF token of a client without the cookie: one for all its requests, as a browser has. */
  readonly csrfToken = randomToken();
  readonly #cookies: Map<string, KeptCookie> = new Map();

  /** Stores the cookies that a response sets. */
  store(setCookies: readonly string[], requestPath: string): void {
    for (const text of setCookies) {
      const cookie = parseSetCookie(text, requestPath);
      if (cookie === undefined) continue;
      // A NUL is in no path and in no name.
      const at = `${cookie.path}\0${cookie.name}`;
      this.#cookies.delete(at);
      if (cookie.expiresMs > Date.now()) this.#cookies.set(at, cookie);
    }
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

function parseSetCookie(text: string, requestPath: string): KeptCookie | undefined {
  const [pair = "", ...attributes] = text.split(";");
  const equals = pair.indexOf("=");
  if (equals < 1) return undefined;
  const found = new Map<string, string>();
  for (const attribute of attributes) {
    const [written = "", ...rest] = attribute.split("=");
    const name = trimBlanks(written).toLowerCase();
    const value = trimBlanks(rest.join("="));
    if (!isIgnored(name, value)) found.set(name, value);
  }
  const path = found.get("path") ?? "";
  return {
    name: trimBlanks(pair.slice(0, equals)),
    value: trimBlanks(pair.slice(equals + 1)),
    path: path.startsWith("/") ? path : requestPath.replace(/\/[^/]*$/, "") || "/",
    expiresMs: expiryOf(found),
  };
}

/** Reports whether a cookie is ignored (RFC 6265, sections 5.2.1 and 5.2.2). */
function isIgnored(name: string, value: string): boolean {
  if (name === "max-age") return !/^-?\d+$/.test(value);
  return name === "expires" && Number.isNaN(Date.parse(value));
}

function expiryOf(attributes: ReadonlyMap<string, string>): number {
  const maxAge = attributes.get("max-age");
  if (maxAge !== undefined) return Date.now() + Number(maxAge) * 1_000;
  const expires = attributes.get("expires");
  return expires === undefined ? Infinity : Date.parse(expires);
}
