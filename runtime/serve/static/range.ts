import type { ByteRange } from "../../base/file_source.ts";

/** How much of a `Range` is read: no client needs a tenth of it. */
const maxRangeChars = 128;

/**
 * Parses a `Range` (RFC 9110, section 14.2) against the length of the content.
 *
 * One range is supported. For several, the whole file is sent, which the RFC allows: a client cannot make the
 * response longer than the file. The same holds for a unit other than `bytes`.
 *
 * @param header The header's value.
 * @param size The length in bytes.
 * @returns The range; `undefined` to send the whole; `"unsatisfiable"` for 416, which malformed and
 * reversed ranges are as well.
 */
export function parseRange(header: string, size: number): ByteRange | undefined | "unsatisfiable" {
  if (!/^bytes=/i.test(header)) return undefined;
  if (header.includes(",")) return undefined;
  if (header.length > maxRangeChars) return "unsatisfiable";
  const [, first, last] = /^[ \t]*(\d*)-(\d*)[ \t]*$/.exec(header.slice("bytes=".length)) ?? [];
  if (first === undefined || last === undefined) return "unsatisfiable";
  if (first === "") return suffixRange(last, size);
  const start = Number(first);
  const end = last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : "unsatisfiable";
}

function suffixRange(text: string, size: number): ByteRange | undefined | "unsatisfiable" {
  const length = Number(text);
  if (text === "" || length === 0) return "unsatisfiable";
  // No Content-Range can describe a part of an empty file.
  return size === 0 ? undefined : { start: Math.max(0, size - length), end: size };
}
