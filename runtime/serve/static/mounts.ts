import type { FileSource } from "../../base/file_source.ts";

/** Static files below a prefix. */
export interface Mount {
  /** The prefix without a trailing slash; `""` for the root. */
  readonly prefix: string;
  /** Where the files lie. */
  readonly from: string | URL | FileSource;
}

/**
 * Reads `config.mounts`.
 *
 * @returns The mounts, the longest prefix first.
 * @throws {TypeError} for a prefix that no request path can start with, and for one given twice.
 */
export function parseMounts(
  mounts: Readonly<Record<string, string | URL | FileSource>>,
): readonly Mount[] {
  const parsed: Mount[] = [];
  for (const [text, from] of Object.entries(mounts)) {
    const prefix = text.replace(/\/$/, "");
    if (!isPrefix(prefix, text)) {
      throw new TypeError(
        `Cannot mount static files at "${text}": write a path such as "/uploads", without dot segments, queries or escapes.`,
      );
    }
    if (parsed.some((other) => other.prefix === prefix)) {
      throw new TypeError(`Cannot mount static files at "${text}": the prefix is given twice.`);
    }
    parsed.push({ prefix, from });
  }
  return parsed.sort((a, b) => b.prefix.length - a.prefix.length);
}

function isPrefix(prefix: string, text: string): boolean {
  if (prefix === "") return text === "/";
  return /^(?:\/[^/?#%{}\\\p{Cc}]+)+$/u.test(prefix) && !/\/\.\.?(?:\/|$)/.test(prefix);
}

/** Returns the path below a mount, without a leading slash; `undefined` for one that is elsewhere. */
export function stripPrefix(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix) || path.charAt(prefix.length) !== "/") return undefined;
  return path.slice(prefix.length + 1);
}
