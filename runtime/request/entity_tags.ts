import { trimBlanks } from "../base/headers.ts";

const maxTags = 64;

const item = /[ \t,]*((?:W\/)?)("[\x21\x23-\x7e\x80-\xff]*")[ \t]*(?=,|$)/y;

/**
 * Finds a tag in an `If-None-Match` or `If-Match` that equals another; a malformed rest of the list, and
 * what comes behind 64 tags, matches nothing.
 */
export function findHeldTag(
  header: string,
  { etag, isExact = false }: { readonly etag: string; readonly isExact?: boolean },
): string | undefined {
  const value = trimBlanks(header);
  if (value === etag || value === "*") return etag;
  const opaque = etag.slice(etag.indexOf('"'));
  item.lastIndex = 0;
  for (let count = 0; count < maxTags; count++) {
    const match = item.exec(value);
    if (match === null) break;
    const held = `${match[1] ?? ""}${match[2] ?? ""}`;
    if (match[2] === opaque && (!isExact || held === etag)) return held;
  }
  return undefined;
}

/**
 * Reports whether an `If-Match` lists a tag. The comparison is the strong one: a weak tag says nothing of the
 * bytes (RFC 9110, section 13.1.1). `*` is left to the caller, who knows whether anything exists.
 */
export function isStrongMatch(header: string, etag: string): boolean {
  return !etag.startsWith("W/") && findHeldTag(header, { etag, isExact: true }) !== undefined;
}
