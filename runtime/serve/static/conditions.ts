import type { ByteRange } from "../../base/file_source.ts";
import { trimBlanks } from "../../base/headers.ts";
import { findHeldTag, isStrongMatch, parseHttpDate } from "../../request/http_cache.ts";

/** The validators of a file (RFC 9110, section 8.8). */
export interface Validators {
  /** The entity tag with its quotes. */
  readonly tag: string | undefined;
  /** The time of the last change, in whole seconds. */
  readonly modifiedSeconds: number | undefined;
}

/** The minimum age of a date that distinguishes two versions (RFC 9110, section 8.8.2.2). */
const strongAgeSeconds = 1;

/**
 * Evaluates the preconditions of `GET` and `HEAD` in the order of RFC 9110, section 13.2.2.
 *
 * @returns 304 or 412 when that is the response, `undefined` to continue.
 */
export function checkConditions(headers: Headers, validators: Validators): 304 | 412 | undefined {
  const { tag, modifiedSeconds } = validators;
  const match = headers.get("if-match");
  if (match !== null) {
    const isAny = trimBlanks(match) === "*";
    if (!isAny && (tag === undefined || !isStrongMatch(match, tag))) return 412;
  } else {
    const since = parseSeconds(headers.get("if-unmodified-since"));
    if (since !== undefined && modifiedSeconds !== undefined && modifiedSeconds > since) return 412;
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) {
    const isHeld = tag === undefined
      ? trimBlanks(noneMatch) === "*"
      : findHeldTag(noneMatch, { etag: tag }) !== undefined;
    return isHeld ? 304 : undefined;
  }
  const since = parseSeconds(headers.get("if-modified-since"));
  if (since === undefined || modifiedSeconds === undefined) return undefined;
  return modifiedSeconds <= since ? 304 : undefined;
}

/**
 * Returns the weak form of a strong tag if the client holds that: the listener weakens the tag of a response
 * that it compresses.
 */
export function findWeakened(headers: Headers, tag: string | undefined): string | undefined {
  const header = headers.get("if-none-match");
  if (header === null || tag === undefined || isWeak(tag)) return undefined;
  const weak = `W/${tag}`;
  return trimBlanks(header) === "*"
    ? undefined
    : findHeldTag(header, { etag: weak, isExact: true });
}

/** Reports whether an `If-Range` allows the range (RFC 9110, section 13.1.5): only for an exact version. */
export function allowsRange(header: string | null, validators: Validators): boolean {
  if (header === null) return true;
  const { tag, modifiedSeconds } = validators;
  const value = trimBlanks(header);
  if (value.includes('"')) return tag !== undefined && !isWeak(tag) && value === tag;
  const date = parseSeconds(value);
  return date !== undefined && date === modifiedSeconds &&
    Date.now() / 1_000 - date > strongAgeSeconds;
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

function parseSeconds(header: string | null): number | undefined {
  const ms = parseHttpDate(header?.trim());
  return ms === undefined ? undefined : ms / 1_000;
}

/** Number of characters of a `Range` that are read: no client needs a tenth of it. */
const maxRangeChars = 128;

/**
 * Parses a `Range` (RFC 9110, section 14.2) against the length of the content.
 *
 * One range is supported. For several, the whole file is sent, which the RFC allows: a client cannot make the
 * response longer than the file. The same holds for a unit other than `bytes`.
 *
 * @returns The range; `undefined` to send the whole; `"unsatisfiable"` for 416, also for malformed and
 * reversed ranges.
 */
export function parseRange(header: string, size: number): ByteRange | undefined | "unsatisfiable" {
  if (!/^bytes=/i.test(header) || header.includes(",")) return undefined;
  if (header.length > maxRangeChars) return "unsatisfiable";
  const [, first, last] = /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(header.slice("bytes=".length)) ?? [];
  if (first === undefined || last === undefined) return "unsatisfiable";
  if (first === "") {
    const length = Number(last);
    if (last === "" || length === 0) return "unsatisfiable";
    // No Content-Range can describe a part of an empty file.
    return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
  }
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : "unsatisfiable";
}
