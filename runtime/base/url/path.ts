/**
 * Request paths: their canonical form, and operations on them; and route patterns such as `/blog/{slug}`.
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

/** Returns the query of a URL or request target with its `?`, without the fragment; `""` for none. */
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
    const kept = path.replace(KEPT_ESCAPE, (escape) => escape === "%25" ? "%2525" : "%252F");
    return decodeURIComponent(kept);
  } catch {
    return undefined;
  }
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
  if (!raw.includes("%")) return raw;
  return raw.replace(KEPT_ESCAPE, (escape) => escape === "%25" ? "%" : "/");
}

/** Checks whether a decoded value has a `.` or `..` segment (`/` or `\`), which clients would resolve. */
function hasDotSegment(value: string): boolean {
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

/** One segment of a pattern, between two slashes. */
export type Segment =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "param"; readonly name: string }
  | { readonly kind: "rest"; readonly name: string };

export interface Pattern {
  readonly source: string;
  /** Its segments from left to right; none for `/`. */
  readonly segments: readonly Segment[];
  /** The names of its parameters from left to right. */
  readonly names: readonly string[];
}

/** Values for the parameters of a pattern, decoded, by name. */
export type PatternParams = Readonly<Record<string, string | number>>;

const NAME = /^[A-Za-z][A-Za-z0-9_]*$/;
const DYNAMIC = /^\{(.*?)(\.\.\.)?\}$/s;
const MAX_ENCODED = 4_096;

/**
 * Parses a pattern: `/`, or segments that each follow a slash. A segment is a literal text, `{name}` for one
 * segment, or (last only) `{name...}` for the rest of the path. Literals are plain text: `café`, not
 * `caf%C3%A9`.
 */
export function parsePattern(pattern: string): Pattern {
  if (!pattern.startsWith("/")) throw malformed(pattern, "it must start with a slash");
  if (pattern === "/") return { source: pattern, segments: [], names: [] };
  if (pattern.endsWith("/")) throw malformed(pattern, "remove the trailing slash");
  const segments: Segment[] = [];
  const names: string[] = [];
  for (const text of pattern.slice(1).split("/")) {
    const last = segments.at(-1);
    if (last?.kind === "rest") {
      throw malformed(pattern, `nothing may follow {${last.name}...}, which takes the rest`);
    }
    const segment = parseSegment(pattern, text);
    if (segment.kind !== "literal") {
      if (names.includes(segment.name)) {
        throw malformed(pattern, `the parameter "${segment.name}" occurs twice; rename one`);
      }
      names.push(segment.name);
    }
    segments.push(segment);
  }
  return { source: pattern, segments, names };
}

function parseSegment(pattern: string, text: string): Segment {
  if (text === "") throw malformed(pattern, "remove the empty segment between two slashes");
  const [, name, dots] = DYNAMIC.exec(text) ?? [];
  if (name === undefined) return { kind: "literal", text: checkLiteral(pattern, text) };
  if (!NAME.test(name) || name.endsWith("_")) {
    throw malformed(
      pattern,
      `the parameter name "${name}" must be letters, digits and "_", start with a letter and not end in "_"`,
    );
  }
  return { kind: dots === undefined ? "param" : "rest", name };
}

function checkLiteral(pattern: string, text: string): string {
  const reason = /[{}]/.test(text)
    ? `a parameter must be a whole segment, which "${text}" is not`
    : text.startsWith(":") || text === "*"
    ? `write {name} for a parameter and {name...} for the rest, not "${text}"`
    : text === "." || text === ".." || CONTROL.test(text)
    ? `no request can reach the segment ${JSON.stringify(text)}; rename it`
    : undefined;
  if (reason !== undefined) throw malformed(pattern, reason);
  return text;
}

function malformed(pattern: string, fix: string): TypeError {
  return new TypeError(`Cannot parse the pattern ${JSON.stringify(pattern)}: ${fix}`);
}

/**
 * Builds the encoded path of a pattern; the value of a `{name...}` parameter keeps its slashes.
 *
 * @throws {TypeError} for a malformed pattern, a missing or empty value, one with a `.` or `..` segment, and
 * one that is not a relative path for a `{name...}`.
 */
export function buildPath(pattern: string, params: PatternParams): string {
  const segments = encoded.get(pattern) ?? encodePattern(pattern);
  if (typeof segments === "string") return segments;
  let path = "";
  for (const segment of segments) {
    const { kind } = segment;
    path += `/${kind === "literal" ? segment.text : encodeValue(pattern, segment, params)}`;
  }
  return path;
}

export class UnfitValue extends TypeError {}

const encoded = new Map<string, string | readonly Segment[]>();

/** Parses a pattern and encodes its literals; without parameters, the result is a path. */
function encodePattern(pattern: string): string | readonly Segment[] {
  const { names, segments } = parsePattern(pattern);
  const made = names.length === 0
    ? encodeLiteral(pattern)
    : segments.map((segment) =>
      segment.kind === "literal" ? { ...segment, text: encodeLiteral(segment.text) } : segment
    );
  // Patterns are constants of the app; the bound is for callers that build them at run time.
  if (encoded.size < MAX_ENCODED) encoded.set(pattern, made);
  return made;
}

function encodeLiteral(text: string): string {
  return encodeURI(text.toWellFormed()).replaceAll("?", "%3F").replaceAll("#", "%23");
}

function encodeValue(
  pattern: string,
  segment: Exclude<Segment, { kind: "literal" }>,
  params: PatternParams,
): string {
  const { kind, name } = segment;
  const given = Object.hasOwn(params, name) ? params[name] : undefined;
  const start = `Cannot build a path for "${pattern}": the parameter "${name}"`;
  const isGiven = given !== undefined && given !== null;
  const value = isGiven ? String(given) : "";
  const reason = value === ""
    ? "is missing or empty; give it a value"
    : CONTROL.test(value)
    ? "holds a control character, which no path carries; remove it"
    : hasDotSegment(value)
    ? 'holds a "." or ".." segment, which clients resolve away; give it another value'
    : kind === "rest" && !isRelativeRest(canonicalText(value), 0)
    ? "is not a relative path, which a catch-all requires; drop the slash at its start and double " +
      "ones, or send it in the query"
    : undefined;
  if (reason !== undefined) throw new (isGiven ? UnfitValue : TypeError)(`${start} ${reason}`);
  // RFC 3986 allows `@` in a segment, and unescaped it is readable: /@ada.
  const encoded = encodeURIComponent(value.toWellFormed()).replaceAll("%40", "@");
  return kind === "rest" ? encoded.replaceAll("%2F", "/") : encoded;
}
