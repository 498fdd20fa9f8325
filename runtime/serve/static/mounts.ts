import { dirname, fromFileUrl, join, relative, resolve } from "../../base/file_path.ts";
import type { Config } from "../../base/ctx/config.ts";
import type { FileSource, MountSettings } from "../../base/file_source.ts";

export interface Mount {
  /** The prefix without a trailing slash; `""` for the root. */
  readonly prefix: string;
  readonly from: string | URL | FileSource;
  readonly hasIndex: boolean;
}

/** Reads `config.mounts`; throws a `TypeError` for one that no request can reach. */
export function parseMounts(mounts: Config["mounts"]): readonly Mount[] {
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
    const { from, index = false } = readMount(value);
    if (typeof index !== "boolean") {
      const fix = "index must be true or false; correct it or leave it out.";
      throw new TypeError(`Cannot serve ${settingOf(prefix)}: ${fix}`);
    }
    parsed.push({ prefix, from, hasIndex: index });
  }
  return parsed.sort((a, b) => b.prefix.length - a.prefix.length);
}

/** Lists the folders of static files by setting, with links resolved. */
export function servedFolders(
  { public: own, mounts }: Pick<Config, "public" | "mounts">,
): (readonly [setting: string, folder: string])[] {
  const named = Object.entries(mounts).map(([prefix, mount]) =>
    [settingOf(prefix), readMount(mount).from] as const
  );
  return [["config.public", own] as const, ...named].flatMap(([setting, from]) => {
    const isFolder = typeof from === "string" || (from instanceof URL && from.protocol === "file:");
    return isFolder ? [[setting, realPath(from)] as const] : [];
  });
}

/**
 * Resolves the links of a path if possible, because a link into the static files is served too. A missing
 * path is resolved from its existing parent folder; a path that may not be read, or is inside an executable,
 * is compared by name.
 */
export function realPath(path: string | URL): string {
  const whole = resolve(systemPath(path));
  for (let at = whole;; at = dirname(at)) {
    try {
      return join(Deno.realPathSync(at), relative(at, whole));
    } catch {
      if (dirname(at) === at) return whole;
    }
  }
}

export function systemPath(path: string | URL): string {
  return path instanceof URL || path.startsWith("file:") ? fromFileUrl(path) : path;
}

export function settingOf(prefix: string): string {
  return `config.mounts["${prefix}"]`;
}

function readMount(value: Config["mounts"][string]): MountSettings {
  // Anything with `get` is a source.
  const isSettings = typeof value === "object" && value !== null && !(value instanceof URL) &&
    !("get" in value) && ("from" in value || "index" in value);
  return isSettings ? value : { from: value };
}

function isPrefix(prefix: string, text: string): boolean {
  if (prefix === "") return text === "/";
  return /^(?:\/[^/?#%{}\\\p{Cc}]+)+$/u.test(prefix) && !/\/\.\.?(?:\/|$)/.test(prefix);
}

/** Returns the path below a mount, without a leading slash; `undefined` for a path outside it. */
export function stripPrefix(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix) || path.charAt(prefix.length) !== "/") return undefined;
  return path.slice(prefix.length + 1);
}

const deviceName =
  "(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\\$|conout\\$)";

// One table for every platform: files served on the development machine are served in production, and vice
// versa.
const refused: readonly RegExp[] = [
  // A dot file, a dot segment.
  /\/\./,
  // An empty segment, which file systems ignore.
  /\/\/|\/$/,
  // A separator on another system, or after another decoding.
  /\\|%2F/,
  // A drive or an alternative stream.
  /:/,
  // A control character.
  /\p{Cc}/u,
  // Windows drops these at the end of a segment, so they make another name of the same file.
  /[. ](?:\/|$)/,
  new RegExp(`/${deviceName}(?:[. ][^/]*)?(?:/|$)`, "i"),
];

/** Windows gives long names a short alias: `GIT~1` is `.git`. */
const shortName = /~\d/;
const wellKnown = "/.well-known/";

/**
 * Reports whether a path may be a static file: no dot files except below `/.well-known/` (RFC 8615), and no
 * separators, devices or aliases of another file system.
 */
export function isServable(path: string): boolean {
  const checked = path.startsWith(wellKnown) ? path.slice(wellKnown.length - 1) : path;
  if (Deno.build.os === "windows" && shortName.test(checked)) return false;
  return !refused.some((pattern) => pattern.test(checked));
}
