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

/** Names that can only mean a convention file. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ["+page", "page"],
  ["+page.server", "page"],
  ["+layout", "layout"],
  ["+layout.server", "layout"],
  ["+server", "route"],
  ["+error", "error"],
]);

/** Names that a helper may have as well: the exports decide. */
const looseNames: ReadonlyMap<string, readonly string[]> = new Map([
  ["index", ["page", "route"]],
  ["_index", ["page", "route"]],
  ["pages", ["page"]],
  ["routes", ["route"]],
  ["layouts", ["layout"]],
  ["_layout", ["layout"]],
  ["_app", ["layout"]],
  ["middlewares", ["middleware"]],
  ["_middleware", ["middleware"]],
  ["errors", ["error"]],
  ["_error", ["error"]],
  ["500", ["error"]],
  ["_500", ["error"]],
  ["404", ["not_found"]],
  ["_404", ["not_found"]],
]);

/** The exports that identify a convention file. */
const signs: Readonly<Record<string, readonly string[]>> = {
  page: ["Page"],
  route: routeMethods,
  layout: ["Layout"],
  middleware: middlewareExports,
  error: ["Error", "ErrorPage"],
  not_found: ["NotFound", "NotFoundPage"],
};

export function checkNearFiles(folder: AppFolder, options: CheckOptions): void {
  const { texts, report } = options;
  for (const name of folder.others) {
    const wanted = wantedFor(name, { folder, sources: options.sources });
    if (wanted === undefined) continue;
    report(`${folder.path}/${name}`, "E_BAD_FILE_NAME", texts.badFileName(name, wanted));
  }
}

interface NearFile {
  readonly folder: AppFolder;
  readonly sources: CheckOptions["sources"];
}

/** Returns the convention file that was probably meant. */
function wantedFor(name: string, { folder, sources }: NearFile): string | undefined {
  const [, written = ""] = /^(.+)\.[jt]sx?$/.exec(name) ?? [];
  const named = (base: string): string =>
    base + (name.endsWith("x") && takesJsx(base) ? ".tsx" : ".ts");
  const foreign = foreignNames.get(written);
  if (foreign !== undefined) return named(foreign);
  const exported = (bases: readonly string[]): string | undefined =>
    bases.length === 0 ? undefined : exportedBase(bases, { name, folder, sources });
  const loose = looseNames.get(written)?.filter((base) => isFree(base, folder));
  if (loose !== undefined) {
    const base = exported(loose);
    return base === undefined ? undefined : named(base);
  }
  // A segment of the URL, which must be a folder.
  const kind = written === "" ? undefined : parseFolder(written);
  if (kind?.kind !== "bad" || kind.cause !== "foreign-style") return undefined;
  const base = exported(["page", "route"]);
  return base === undefined ? undefined : `${kind.part}/${named(base)}`;
}

/** Returns the first convention whose exports a file has. */
function exportedBase(
  bases: readonly string[],
  { name, folder, sources }: NearFile & { readonly name: string },
): string | undefined {
  const exports = sources.read(`${folder.path}/${name}`)?.exports;
  if (exports === undefined || exports.faults.length > 0) return undefined;
  // In other frameworks a page or a layout is the default export; in plain code that may be
  // anything.
  const foreignSigns = name.endsWith("x") ? ["default"] : [];
  // A file with only re-exports is a collection of helpers.
  return bases.find((base) =>
    [...signs[base] ?? [], ...(takesJsx(base) ? foreignSigns : [])].some((sign) => {
      const exported = exports.names.get(sign);
      return exported !== undefined && exported.from === undefined && !exported.isNamespace;
    })
  );
}

/** Reports whether the folder can have a file of the convention and has none. */
function isFree(base: string, { files, path }: AppFolder): boolean {
  if (base === "page" || base === "route") return !files.has("page") && !files.has("route");
  if (base === "error" || base === "not_found") return path === appFolder && !files.has(base);
  return !files.has(base);
}

function takesJsx(base: string): boolean {
  return conventionFiles[base]?.includes(".tsx") ?? false;
}
