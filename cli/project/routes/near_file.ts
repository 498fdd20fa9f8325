/**
 * Finds convention files with a wrong name: the names of other frameworks, and typos such as
 * `pages.ts`. Their routes would be missing without an error.
 */
import {
  appFolder,
  conventionFiles,
  middlewareExports,
  parseFolder,
  routeMethods,
} from "@fw/fw/conventions";
import type { CheckOptions } from "./convention_file.ts";
import type { AppFolder } from "./scan.ts";

/** Plurals and names of other frameworks. The exports decide, since a helper may have them as well. */
const nearName =
  /^[+_]?(?:app|errors?|index|layouts?|middlewares?|pages?|routes?|server|404|500)(?:\.server)?$/;

const signs: readonly (readonly [base: string, exports: readonly string[]])[] = [
  ["page", ["Page"]],
  ["route", routeMethods],
  ["layout", ["Layout"]],
  ["middleware", middlewareExports],
  ["error", ["Error", "ErrorPage"]],
  ["not_found", ["NotFound", "NotFoundPage"]],
];

export function checkNearFiles(folder: AppFolder, options: CheckOptions): void {
  const { texts, report } = options;
  for (const name of folder.others) {
    const wanted = wantedFor(name, folder, options.sources);
    if (wanted === undefined) continue;
    report(`${folder.path}/${name}`, "E_BAD_FILE_NAME", texts.badFileName(name, wanted));
  }
}

function wantedFor(
  name: string,
  folder: AppFolder,
  sources: CheckOptions["sources"],
): string | undefined {
  const [, written] = /^(.+)\.[jt]sx?$/.exec(name) ?? [];
  if (written === undefined) return undefined;
  // A segment of the URL, which must be a folder.
  const kind = parseFolder(written);
  const segment = kind.kind === "bad" && kind.cause === "foreign-style" ? kind.part : undefined;
  if (segment === undefined && !nearName.test(written)) return undefined;
  const exports = sources.read(`${folder.path}/${name}`)?.exports;
  if (exports === undefined || exports.faults.length > 0) return undefined;
  // A file with only re-exports is a collection of helpers.
  const isOwn = (sign: string): boolean => {
    const exported = exports.names.get(sign);
    return exported !== undefined && exported.from === undefined && !exported.isNamespace;
  };
  // In other frameworks a page or a layout is the default export; in plain code that may be anything.
  const byDefault = /app|layout/.test(written) ? "layout" : "page";
  const base = signs.find(([base, names]) =>
    (segment !== undefined || isFree(base, folder)) &&
    (names.some(isOwn) || (base === byDefault && name.endsWith("x") && isOwn("default")))
  )?.[0];
  if (base === undefined) return undefined;
  const takesJsx = conventionFiles[base]?.includes(".tsx") ?? false;
  const file = base + (name.endsWith("x") && takesJsx ? ".tsx" : ".ts");
  return segment === undefined ? file : `${segment}/${file}`;
}

function isFree(base: string, { files, path }: AppFolder): boolean {
  if (base === "page" || base === "route") return !files.has("page") && !files.has("route");
  if (base === "error" || base === "not_found") return path === appFolder && !files.has(base);
  return !files.has(base);
}
