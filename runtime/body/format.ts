import { validationMessage } from "../schema/messages.ts";

/** Returns a size as people read it, rounded down so that it never promises more. */
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

/** The common names of types; they are the same in every language. */
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

/** Media types as people read them: by name where they have one, else as they are. */
export function describeTypes(types: readonly string[], language: string): string {
  const names = types.map((type) => typeNames.get(type.toLowerCase()) ?? type);
  return new Intl.ListFormat(language, { type: "disjunction" }).format(names);
}

/**
 * Returns the message for a file that is too large, in the language of the request, as `c.file` and `c.bind`
 * report it.
 *
 * @param maxSizeBytes The rule of the file.
 * @returns A text that follows the name of the field, unless the application words it otherwise.
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
