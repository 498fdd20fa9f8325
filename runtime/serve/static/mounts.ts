import type { FileSource, MountSettings } from "../../base/file_source.ts";

export interface Mount {
  /** The prefix without a trailing slash; `""` for the root. */
  readonly prefix: string;
  readonly from: string | URL | FileSource;
  /** Whether a folder's `index.html` is served at its path. */
  readonly hasIndex: boolean;
}

export type MountValue = string | URL | FileSource | MountSettings;

/**
 * Reads `config.mounts`.
 *
 * @throws {TypeError} for a prefix that no request path can start with, one given twice, and an `index`
 * that is not a boolean.
 */
export function parseMounts(
  mounts: Readonly<Record<string, MountValue>>,
): readonly Mount[] {
  const parsed: Mount[] = [];
  for (const [text, value] of Object.entries(mounts)) {
    const prefix = text.replace(/\/$/, "");
    if (!isPrefix(prefix, text)) {
      throw new TypeError(
        `Cannot mount static files at "${text}": write a path such as "/uploads", without dot segments, queries or escapes.`,
      );
    }
    if (parsed.some((other) => other.prefix === prefix)) {
      throw new TypeError(`Cannot mount static files at "${text}": the prefix is given twice.`);
    }
    parsed.push({ prefix, from: mountedFrom(value), hasIndex: hasIndex(prefix, value) });
  }
  return parsed.sort((a, b) => b.prefix.length - a.prefix.length);
}

export function mountedFrom(value: MountValue): string | URL | FileSource {
  return isSettings(value) ? value.from : value;
}

function hasIndex(prefix: string, value: MountValue): boolean {
  const index: unknown = isSettings(value) ? value.index : undefined;
  if (index === undefined || typeof index === "boolean") return index ?? false;
  throw new TypeError(
    `Cannot serve ${settingOf(prefix)}: index must be true or false; correct it or leave it out.`,
  );
}

/** Returns the name of a mount's setting for messages. */
export function settingOf(prefix: string): string {
  return `config.mounts["${prefix}"]`;
}

/** Reports whether a value is settings: a source has `get`, whatever else it has. */
function isSettings(value: MountValue): value is MountSettings {
  return typeof value === "object" && value !== null && !(value instanceof URL) &&
    !("get" in value) && ("from" in value || "index" in value);
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
