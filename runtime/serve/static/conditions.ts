import { trimBlanks } from "../../base/headers.ts";
import { findHeldTag } from "../../request/entity_tags.ts";
import { parseHttpDate } from "../../request/http_date.ts";

/** What a client may hold of a file already. */
export interface Validators {
  /** The entity tag with its quotes; absent where the content is not known. */
  readonly tag: string | undefined;
  /** When the file last changed, in whole seconds; `undefined` if unknown. */
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
    if (!hasTag(match, { tag, isStrong: true })) return 412;
  } else {
    const since = parseSeconds(headers.get("if-unmodified-since"));
    if (since !== undefined && modifiedSeconds !== undefined && modifiedSeconds > since) return 412;
  }
  const noneMatch = headers.get("if-none-match");
  if (noneMatch !== null) return hasTag(noneMatch, { tag, isStrong: false }) ? 304 : undefined;
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

/**
 * Reports whether an `If-Range` allows the range (RFC 9110, section 13.1.5): only for an exact
 * version.
 */
export function allowsRange(header: string | null, validators: Validators): boolean {
  if (header === null) return true;
  const { tag, modifiedSeconds } = validators;
  const value = trimBlanks(header);
  if (value.includes('"')) return tag !== undefined && value === tag;
  const date = parseSeconds(value);
  return date !== undefined && date === modifiedSeconds &&
    Date.now() / 1_000 - date > strongAgeSeconds;
}

function isWeak(tag: string): boolean {
  return tag.startsWith("W/");
}

function hasTag(
  header: string,
  options: { readonly tag: string | undefined; readonly isStrong: boolean },
): boolean {
  const { tag, isStrong } = options;
  if (tag === undefined) return trimBlanks(header) === "*";
  return findHeldTag(header, { etag: tag, isExact: isStrong }) !== undefined;
}

function parseSeconds(header: string | null): number | undefined {
  const ms = parseHttpDate(header?.trim());
  return ms === undefined ? undefined : ms / 1_000;
}
