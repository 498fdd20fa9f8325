import type { FileRules } from "../base/ctx/input.ts";
import type { Logger } from "../base/observe/logger.ts";
import { validationMessage } from "../schema/messages.ts";

/**
 * Formats a size for people, rounded down so that it never exceeds the limit.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeBytes } from "@fw/fw/addon";
 *
 * assertEquals(describeBytes(1_600_000), "1.5 MiB");
 * ```
 */
export function describeBytes(bytes: number): string {
  const units = ["bytes", "KiB", "MiB", "GiB"];
  let unit = 0;
  let value = bytes;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit++;
  }
  return `${Math.floor(value * 10) / 10} ${units[unit]}`;
}

const typeNames: ReadonlyMap<string, string> = new Map([
  ["image/png", "PNG"],
  ["image/jpeg", "JPEG"],
  ["image/gif", "GIF"],
  ["image/webp", "WebP"],
  ["image/bmp", "BMP"],
  ["image/avif", "AVIF"],
  ["image/svg+xml", "SVG"],
  ["application/pdf", "PDF"],
  ["application/zip", "ZIP"],
  ["application/json", "JSON"],
  ["audio/mpeg", "MP3"],
  ["audio/wave", "WAV"],
  ["video/mp4", "MP4"],
  ["video/webm", "WebM"],
  ["text/csv", "CSV"],
  ["text/html", "HTML"],
  ["text/plain", "TXT"],
]);

/**
 * Formats media types for people, in a language.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { describeTypes } from "@fw/fw/addon";
 *
 * assertEquals(describeTypes(["image/png", "image/jpeg"], "en"), "PNG or JPEG");
 * ```
 */
export function describeTypes(types: readonly string[], language: string): string {
  const names = types.map((type) => typeNames.get(type.toLowerCase()) ?? type);
  return new Intl.ListFormat([language, "en"], { type: "disjunction" }).format(names);
}

/**
 * Returns the message for a file that is too large, in the language of the request; it follows the
 * field's name.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { fileSizeMessage } from "@fw/fw/addon";
 *
 * assertEquals(fileSizeMessage(2 * 1024 * 1024), "must be at most 2 MiB");
 * ```
 */
export function fileSizeMessage(maxSizeBytes: number): string {
  return validationMessage("filemax", { param: describeBytes(maxSizeBytes) });
}

export function warnOfReach(
  { maxBytes }: { readonly maxBytes: number },
  field: string,
  { rules, log, pattern }: {
    readonly rules: FileRules;
    readonly log: () => Logger;
    readonly pattern: string;
  },
): void {
  const { maxSizeBytes = 0 } = rules;
  if (maxSizeBytes === Infinity || maxSizeBytes <= maxBytes) return;
  log().warn(
    "maxSizeBytes is over the limit of the body, which is refused before; call c.allowBody(maxBytes) in a middleware of the route, or lower maxSizeBytes",
    { field, route: pattern, max_size_bytes: maxSizeBytes, body_limit_bytes: maxBytes },
  );
}
