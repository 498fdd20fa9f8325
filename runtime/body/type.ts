import { httpError } from "../base/errors/errors.ts";
import type { HttpError } from "../base/errors/errors.ts";
import { isToken, trimBlanks } from "../base/headers.ts";

/** The kind of a body by its `Content-Type`. */
export type BodyKind = "json" | "urlencoded" | "multipart" | "other";

/** A `Content-Type`, read. */
export interface BodyType {
  /** How it can be read. */
  readonly kind: BodyKind;
  /** Type and subtype in lower case; `""` for a malformed header. */
  readonly essence: string;
  /** The parameters, names in lower case; the first of a name counts. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Whether a parameter came twice, so that readers may disagree on it. */
  readonly hasDuplicate: boolean;
}

/** The longest header that is read; the longest boundary has 70 characters. */
const maxChars = 512;

const urlencoded: BodyType = plainType("urlencoded", "application/x-www-form-urlencoded");
const json: BodyType = plainType("json", "application/json");

function plainType(kind: BodyKind, essence: string): BodyType {
  return { kind, essence, parameters: new Map(), hasDuplicate: false };
}

/**
 * Reads a `Content-Type` (RFC 9110, section 8.3).
 *
 * @param header Its value.
 * @returns The type; the kind `other` for what cannot be read.
 */
export function parseBodyType(header: string): BodyType {
  // What browsers and programs nearly always send.
  if (header === urlencoded.essence) return urlencoded;
  if (header === json.essence) return json;
  const [media = "", ...rest] = splitParameters(header.slice(0, maxChars));
  const essence = trimBlanks(media).toLowerCase();
  const [type = "", subtype = "", ...more] = essence.split("/");
  if (header.length > maxChars || more.length > 0 || !isToken(type) || !isToken(subtype)) {
    return plainType("other", "");
  }
  const parameters = new Map<string, string>();
  let hasDuplicate = false;
  for (const text of rest) {
    const at = text.indexOf("=");
    if (at < 0) continue;
    const name = trimBlanks(text.slice(0, at)).toLowerCase();
    if (parameters.has(name)) hasDuplicate = true;
    else parameters.set(name, unquote(trimBlanks(text.slice(at + 1))));
  }
  return { kind: kindOf(essence), essence, parameters, hasDuplicate };
}

function kindOf(essence: string): BodyKind {
  if (essence === urlencoded.essence) return "urlencoded";
  if (essence === "multipart/form-data") return "multipart";
  return essence === json.essence || /^[^/]+\/[^/]+\+json$/.test(essence) ? "json" : "other";
}

/**
 * Splits a header value at semicolons outside quoted strings.
 *
 * @param value The value.
 * @returns The pieces, untrimmed.
 */
export function splitParameters(value: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start <= value.length; start = parameter.lastIndex + 1) {
    parameter.lastIndex = start;
    parameter.test(value);
    pieces.push(value.slice(start, parameter.lastIndex));
  }
  return pieces;
}

/**
 * Up to a semicolon outside quoted strings. A backslash escapes only what could end the string: old browsers
 * send Windows paths raw. It matches anything, so that it never goes back. Much faster than a loop over the
 * characters (the row "quotes in a name" of `tests/runtime/serve/costs_test.ts`).
 */
const parameter = /(?:[^";]|"(?:[^"\\]|\\["\\]?)*"?)*/y;

/**
 * Removes the quotes of a quoted string.
 *
 * @param text A token or a quoted string.
 * @returns The unquoted text; an unterminated string is returned unchanged.
 */
export function unquote(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text;
  const inner = text.slice(1, -1);
  if (!inner.includes("\\")) return inner;
  // Bytes: characters cost three times as much, and a regular expression ten times for each escape.
  const bytes = encoder.encode(inner);
  let count = 0;
  for (let at = 0; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH && isEscapable(bytes[at + 1])) at++;
    bytes[count++] = bytes[at] ?? 0;
  }
  return decoder.decode(bytes.subarray(0, count));
}

function isEscapable(byte: number | undefined): boolean {
  return byte === QUOTE || byte === BACKSLASH;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The media types that forms read, for the `Accept` header of a 415. */
export const formTypes = "application/x-www-form-urlencoded, multipart/form-data";

/** The media types that `bind` reads. */
export const bindTypes = `application/json, ${formTypes}`;

/**
 * Creates the 415 error for a body of an unsupported type.
 *
 * @param given The type that was sent.
 * @param accept The types that are accepted.
 * @returns The error.
 */
export function unsupportedType(given: string, accept: string): HttpError {
  const what = given === "" ? "a body without a readable content type" : `the type ${given}`;
  return httpError(415, `cannot read ${what}: send ${accept}`, {
    code: "unsupported_media_type",
    headers: { accept },
  });
}

/**
 * Refuses what would be read wrongly: a compressed body, a character set other than UTF-8, and a
 * parameter that came twice.
 *
 * @throws {HttpError} 415.
 */
export function refuseCodings(headers: Headers, type: BodyType): void {
  const encoding = headers.get("content-encoding");
  if (encoding !== null && trimBlanks(encoding).toLowerCase() !== "identity") {
    throw httpError(415, "cannot read a compressed body: send it without Content-Encoding", {
      code: "unsupported_content_encoding",
      headers: { "accept-encoding": "identity" },
    });
  }
  const charset = type.parameters.get("charset");
  if (charset !== undefined && !/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    throw httpError(415, "cannot read the body's character set: send UTF-8", {
      code: "unsupported_charset",
    });
  }
  // The first parameter of a name counts here, while a filter in front may use the last. For multipart
  // forms the parser checks the boundary itself.
  if (type.hasDuplicate && type.kind !== "multipart") {
    throw httpError(415, "cannot read a content type that has a parameter twice", {
      code: "unsupported_media_type",
    });
  }
}
