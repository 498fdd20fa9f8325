/** Parses route patterns such as `/blog/{slug}` and `/files/{path...}`, and builds paths from them. */

import { canonicalText, hasDotSegment, isRelativeRest } from "./path.ts";

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
const CONTROL = /\p{Cc}/u;
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
