/**
 * Request paths: their canonical form, and operations on them.
 *
 * The router, the static files and the middleware see a path in its **canonical form**. Its escapes are
 * decoded once as UTF-8, except that `%2F` and `%25` stay escaped: an encoded slash never splits a segment,
 * and the form can be decoded to exact values with {@linkcode decodeParam}.
 */

const SLASH = 0x2f;
const BACKSLASH = 0x5c;
const QUESTION = 0x3f;

// The paths that `decodePath` must examine: a character outside printable ASCII, `%`, a backslash or a dot
// segment. One regular expression takes half the time of a loop over char codes (`bench/router`).
const SUSPECT = /[^ -$&-[\]-~]|\/\.\.?(?:\/|$)/;
// Unicode category Cc: NUL, the other C0 controls, DEL and the C1 controls.
const CONTROL = /\p{Cc}/u;
// Servers and file systems disagree on separators, so a dot segment between any two separators is
// refused, even an escaped one.
const DOT_SEGMENT = /(?:^|[/\\]|%2F)\.\.?(?:$|[/\\]|%2F)/;
const KEPT_ESCAPE = /%2[5Ff]/g;
const LEADING_SLASHES = /^[/\\]{2,}/;

/** Finds where the path of a URL or request target ends. */
export function pathEnd(url: string, start: number): number {
  const query = url.indexOf("?", start);
  const fragment = url.indexOf("#", start);
  if (query < 0) return fragment < 0 ? url.length : fragment;
  return fragment < 0 || query < fragment ? query : fragment;
}

/**
 * Returns the query of a URL or request target with its `?`, without the fragment; `""` when there is none.
 */
export function sliceQuery(url: string, end: number): string {
  if (url.charCodeAt(end) !== QUESTION) return "";
  const fragment = url.indexOf("#", end);
  return fragment < 0 ? url.slice(end) : url.slice(end, fragment);
}

/**
 * Converts the raw path of a request to its canonical form: escapes decoded once as UTF-8, except `%2F` and
 * `%25`, which stay (in upper case). A doubly escaped character is data and stays escaped once.
 *
 * Returns `undefined`, for a 400, for a malformed escape, invalid UTF-8, a control character (raw or
 * escaped), a raw backslash, a path that does not start with `/`, and a `.` or `..` segment however it is
 * written, also between escaped slashes or backslashes. Names such as `...`, `a..b` and `.well-known` pass.
 */
export function decodePath(path: string): string | undefined {
  if (path.charCodeAt(0) !== SLASH) return undefined;
  if (!SUSPECT.test(path)) return path;
  if (path.includes("\\")) return undefined;
  const decoded = path.includes("%") ? decodeEscapes(path) : path;
  if (decoded === undefined || CONTROL.test(decoded) || DOT_SEGMENT.test(decoded)) return undefined;
  return decoded.isWellFormed() ? decoded : undefined;
}

function decodeEscapes(path: string): string | undefined {
  try {
    return decodeURIComponent(path.replace(KEPT_ESCAPE, escapeTwice));
  } catch {
    return undefined;
  }
}

function escapeTwice(escape: string): string {
  return escape === "%25" ? "%2525" : "%252F";
}

/**
 * Converts a string (a folder name, a literal of a pattern) into the canonical form of
 * {@linkcode decodePath}, so that the two can be compared.
 */
export function canonicalText(text: string): string {
  return text.includes("%") ? text.replaceAll("%", "%25") : text;
}

/** Decodes one captured piece of a canonical path: `%2F` to `/` and `%25` to `%`, once. */
export function decodeParam(raw: string): string {
  return raw.includes("%") ? raw.replace(KEPT_ESCAPE, unescapeKept) : raw;
}

function unescapeKept(escape: string): string {
  return escape === "%25" ? "%" : "/";
}

/** Checks whether a decoded value has a `.` or `..` segment (`/` or `\`), which clients would resolve. */
export function hasDotSegment(value: string): boolean {
  return value.includes(".") && DOT_SEGMENT.test(canonicalText(value));
}

/**
 * Checks whether the part that a catch-all matches is a relative path: it does not start with a slash or
 * backslash, raw or escaped, and only the last segment may be empty. Joined to a folder, it stays inside.
 */
export function isRelativeRest(path: string, start: number): boolean {
  const code = path.charCodeAt(start);
  if (code === SLASH || code === BACKSLASH || path.startsWith("%2F", start)) return false;
  if (path.includes("//", start)) return false;
  return !path.includes("%2F", start) || !/%2F(?:\/|%2F)|\/%2F/.test(path.slice(start));
}

/** Makes a path local: browsers read `//` or `/\` at its start as another host. */
export function localPath(path: string): string {
  return path.replace(LEADING_SLASHES, "/");
}

/**
 * Checks whether a path needs no decoding and has one spelling: segments of unreserved characters and
 * sub-delimiters (RFC 3986), without dot segments and without a slash at the end.
 */
export function isPlainPath(path: string): boolean {
  return /^(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+$/.test(path) && !DOT_SEGMENT.test(path);
}

/** Prepends the base path to a path of the app; the result never starts with `//`. */
export function joinBase(base: string, path: string): string {
  return (base + path).replace(LEADING_SLASHES, "/");
}

/** Removes the base path from a path: `/` for the base itself, `undefined` for a path outside it. */
export function stripBase(base: string, path: string): string | undefined {
  if (base === "") return path;
  if (!path.startsWith(base)) return undefined;
  if (path.length === base.length) return "/";
  return path.charCodeAt(base.length) === SLASH ? path.slice(base.length) : undefined;
}
