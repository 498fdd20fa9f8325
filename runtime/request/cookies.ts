import { isToken, trimBlanks } from "../base/headers.ts";
import type { Config } from "../base/config/config.ts";
import type { Cookie } from "../base/ctx/answers.ts";

/** The maximum number of cookies read from a request; browsers send fewer. */
const maxCookies = 200;

/**
 * Reads a `Cookie` header (RFC 6265bis, section 5.8.3, read leniently): pairs without a name, with a name
 * that is not a token, or with a control character in the value are skipped. Only spaces and tabs around a name
 * and a value are removed, as browsers do: a sibling host may set a cookie whose name differs from a `__Host-`
 * name by a no-break space alone.
 *
 * @param header The header's value; `null` for none.
 * @returns The values by name; of two with one name the first, which browsers send for the longer
 * path.
 */
export function parseCookies(header: string | null): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  if (header === null) return cookies;
  for (const pair of header.split(";", maxCookies)) {
    const equals = pair.indexOf("=");
    if (equals < 0) continue;
    const name = trimBlanks(pair.slice(0, equals));
    if (!isToken(name) || cookies.has(name)) continue;
    const value = unquote(trimBlanks(pair.slice(equals + 1)));
    if (control.test(value)) continue;
    cookies.set(name, value);
  }
  return cookies;
}

/** Finds one cookie as {@link parseCookies} would: most requests need one or two of many. */
export function findCookie(header: string, name: string): string | undefined {
  // Most requests lack the cookie, which a search finds out without copying a pair.
  if (!header.includes(name) || !isToken(name)) return undefined;
  let start = 0;
  for (let pairs = 0; pairs < maxCookies && start < header.length; pairs++) {
    const semicolon = header.indexOf(";", start);
    const end = semicolon < 0 ? header.length : semicolon;
    const pair = header.slice(start, end);
    const equals = pair.indexOf("=");
    if (equals >= 0 && trimBlanks(pair.slice(0, equals)) === name) {
      const value = unquote(trimBlanks(pair.slice(equals + 1)));
      if (!control.test(value)) return value;
    }
    start = end + 1;
  }
  return undefined;
}

/** Returns whether two cookies have the name: a sibling host or an insecure page may have planted one. */
export function isRepeated(header: string, name: string): boolean {
  if (header.indexOf(name) === header.lastIndexOf(name)) return false;
  const named = header.split(";").filter((pair) => {
    const equals = pair.indexOf("=");
    return equals >= 0 && trimBlanks(pair.slice(0, equals)) === name;
  });
  return named.length > 1;
}

// deno-lint-ignore no-control-regex -- control characters are what is refused
const control = /[\u0000-\u001f\u007f]/;

function unquote(value: string): string {
  return value.length >= 2 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1)
    : value;
}

export type CookieDefaults = { readonly path: string; readonly isSecure: boolean };

/**
 * Writes a `Set-Cookie` value (RFC 6265bis, section 4.1).
 *
 * @throws {TypeError} naming the cookie for a name or an attribute that cannot be sent, and for a
 * prefix (`__Host-`, `__Http-`, `__Secure-`) whose conditions are not met: browsers would drop the cookie.
 */
export function serializeCookie(cookie: Cookie, defaults: CookieDefaults): string {
  const { name, value, domain, maxAgeSeconds, expires } = cookie;
  const path = cookie.path ?? defaults.path;
  const sameSite = cookie.sameSite ?? "Lax";
  // Browsers accept these over HTTPS only.
  const needsSecure = sameSite === "None" || /^__(?:host|secure|http)-/i.test(name);
  const isSecure = cookie.secure ?? (defaults.isSecure || needsSecure);
  checkCookie(cookie, path, needsSecure);
  let text = `${name}=${value}; Path=${path}`;
  if (domain !== undefined) text += `; Domain=${domain}`;
  if (maxAgeSeconds !== undefined) text += `; Max-Age=${Math.floor(maxAgeSeconds)}`;
  if (expires !== undefined) text += `; Expires=${expires.toUTCString()}`;
  if (cookie.httpOnly ?? true) text += "; HttpOnly";
  if (isSecure) text += "; Secure";
  return `${text}; SameSite=${sameSite}`;
}

export function cookieIdentity(text: string): string {
  const [, name = ""] = /^([^=;]*)/.exec(text) ?? [];
  const [, path = ""] = /; *Path=([^;]*)/i.exec(text) ?? [];
  const [, domain = ""] = /; *Domain=([^;]*)/i.exec(text) ?? [];
  return `${name}\n${path}\n${domain}`;
}

/**
 * Returns the name of one of the framework's own cookies: over HTTPS with a prefix (RFC 6265bis, section
 * 4.1.3), so that no other host and no insecure page can plant it. `__Host-` requires the path `/`; below a
 * base path the prefix is `__Secure-`. Over HTTP, as in development, a prefixed cookie would be dropped.
 * Names fixed by the application or the specification are unchanged.
 *
 * Below a base path the name ends in it, such as `fw_csrf.shop`: a browser also sends the cookies of all
 * parent paths, so an application at `/` on the same host would cause a second cookie of the same name.
 */
export function prefixedName(name: string, { path, isSecure }: CookieDefaults): string {
  if (path === "/") return isSecure ? `__Host-${name}` : name;
  const encode = (char: string): string => `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
  const suffix = path.slice(1).replace(/[^A-Za-z0-9_/-]/g, encode).replaceAll("/", ".");
  return `${isSecure ? "__Secure-" : ""}${name}.${suffix}`;
}

export function csrfCookieName(config: Pick<Config, "csrf">, at: CookieDefaults): string {
  return config.csrf.cookie || prefixedName("fw_csrf", at);
}

/** The names of the framework's own cookies, over HTTP or over HTTPS. */
export type CookieNames = { readonly csrf: string; readonly flash: string };

export function compileCookieNames(config: Pick<Config, "csrf">, at: CookieDefaults): CookieNames {
  return { csrf: csrfCookieName(config, at), flash: prefixedName("fw_flash", at) };
}

function checkCookie(cookie: Cookie, path: string, needsSecure: boolean): void {
  const { name, value, domain, maxAgeSeconds, expires } = cookie;
  const fail = (reason: string): never => {
    throw new TypeError(`Cannot set the cookie "${name}": ${reason}.`);
  };
  if (!isToken(name)) fail("its name may hold letters, digits and -_.~!#$%&'*+^`| only");
  if (!/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(value)) {
    fail(
      "its value holds a character that cookies cannot carry; encode it, as encodeURIComponent does",
    );
  }
  if (name.length + value.length > 4_096) fail("name and value are over 4,096 bytes together");
  if (!/^\/[\x20-\x3a\x3c-\x7e]*$/.test(path)) fail(`its path "${path}" must start with /`);
  if (domain !== undefined && !/^\.?[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*$/.test(domain)) {
    fail(`its domain "${domain}" is not a host name`);
  }
  if (maxAgeSeconds !== undefined && !Number.isFinite(maxAgeSeconds)) {
    fail("maxAgeSeconds must be a number of seconds");
  }
  if (expires !== undefined && Number.isNaN(expires.getTime())) fail("expires is an invalid date");
  if (cookie.secure === false && needsSecure) fail("browsers take it only with secure: true");
  if (/^__host-/i.test(name) && (domain !== undefined || path !== "/")) {
    fail('the prefix __Host- wants the path "/" and no domain');
  }
  if (/^__(?:host-)?http-/i.test(name) && cookie.httpOnly === false) {
    fail("its prefix wants httpOnly");
  }
}
