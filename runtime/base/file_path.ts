/**
 * The functions of `@std/path` for the platform. Its entry points load Node's `process` to find the
 * platform, and 40 modules more: with `jsr:@std/path` that was a fifth of a start.
 */
import { dirname as posixDirname } from "@std/path/posix/dirname";
import { fromFileUrl as posixFromFileUrl } from "@std/path/posix/from-file-url";
import { isAbsolute as posixIsAbsolute } from "@std/path/posix/is-absolute";
import { join as posixJoin } from "@std/path/posix/join";
import { relative as posixRelative } from "@std/path/posix/relative";
import { resolve as posixResolve } from "@std/path/posix/resolve";
import { dirname as windowsDirname } from "@std/path/windows/dirname";
import { fromFileUrl as windowsFromFileUrl } from "@std/path/windows/from-file-url";
import { isAbsolute as windowsIsAbsolute } from "@std/path/windows/is-absolute";
import { join as windowsJoin } from "@std/path/windows/join";
import { relative as windowsRelative } from "@std/path/windows/relative";
import { resolve as windowsResolve } from "@std/path/windows/resolve";

const isWindows = Deno.build.os === "windows";

export const dirname: typeof posixDirname = isWindows ? windowsDirname : posixDirname;
export const fromFileUrl: typeof posixFromFileUrl = isWindows
  ? windowsFromFileUrl
  : posixFromFileUrl;
export const isAbsolute: typeof posixIsAbsolute = isWindows ? windowsIsAbsolute : posixIsAbsolute;
export const join: typeof posixJoin = isWindows ? windowsJoin : posixJoin;
export const relative: typeof posixRelative = isWindows ? windowsRelative : posixRelative;
export const SEPARATOR = isWindows ? "\\" : "/";

/** Resolves a path; std would take the working directory from Node's `process`, too. */
export function resolve(path: string): string {
  const stdResolve = isWindows ? windowsResolve : posixResolve;
  return isAbsolute(path) ? stdResolve(path) : stdResolve(Deno.cwd(), path);
}
