/**
 * Finds files that would be convention files under another name: the names of other frameworks, and
 * slips such as `pages.ts`. Their routes would otherwise be missing without a word.
 *
 * @module
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
import { errorAt, startOfFile } from "../../problem.ts";

/** Names that can only be meant as a convention. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ["+page", "page"],
  ["+page.server", "page"],
  ["+layout", "layout"],
  ["+layout.server", "layout"],
  ["+server", "route"],
  ["+error", "error"],
]);

/** Names that a helper may well have: only what the file exports can tell. */
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

/** The exports by which a file with such a name gives itself away. */
const signs: Readonly<Record<string, readonly string[]>> = {
  page: ["Page"],
  route: routeMethods,
  layout: ["Layout"],
  middleware: middlewareExports,
  error: ["Error", "ErrorPage"],
  not_found: ["NotFound", "NotFoundPage"],
};

/**
 * Reports the files of a folder that come close to a convention file.
 *
 * @param folder The folder; those below are not looked at.
 * @param options Where files are read from and where errors go.
 */
export function checkNearFiles(folder: AppFolder, options: CheckOptions): void {
  const { texts, problems } = options;
  for (const name of folder.others) {
    const wanted = wantedFor(name, { folder, sources: options.sources });
    if (wanted === undefined) continue;
    const file = `${folder.path}/${name}`;
    const text = texts.badFileName(name, wanted);
    problems.push(errorAt({ file, ...startOfFile }, "E_BAD_FILE_NAME", text));
  }
}

/** A file, and how the exports of files are read. */
interface NearFile {
  readonly folder: AppFolder;
  readonly sources: CheckOptions["sources"];
}

/** The convention file that a file was probably meant for. */
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
  // A segment of the URL, which is a folder here.
  const kind = written === "" ? undefined : parseFolder(written);
  if (kind?.kind !== "bad" || kind.cause !== "foreign-style") return undefined;
  const base = exported(["page", "route"]);
  return base === undefined ? undefined : `${kind.part}/${named(base)}`;
}

/** The first convention whose exports a file has. */
function exportedBase(
  bases: readonly string[],
  { name, folder, sources }: NearFile & { readonly name: string },
): string | undefined {
  const exports = sources.read(`${folder.path}/${name}`)?.exports;
  if (exports === undefined || exports.faults.length > 0) return undefined;
  // Elsewhere a page or a layout is the default export; in plain code that may be anything.
  const foreignSigns = name.endsWith("x") ? ["default"] : [];
  // A file that only passes on what others declare gathers helpers.
  return bases.find((base) =>
    [...signs[base] ?? [], ...(takesJsx(base) ? foreignSigns : [])].some((sign) => {
      const exported = exports.names.get(sign);
      return exported !== undefined && exported.from === undefined && !exported.isNamespace;
    })
  );
}

/** Whether the folder may have a file of the convention and has none. */
function isFree(base: string, { files, path }: AppFolder): boolean {
  if (base === "page" || base === "route") return !files.has("page") && !files.has("route");
  if (base === "error" || base === "not_found") return path === appFolder && !files.has(base);
  return !files.has(base);
}

function takesJsx(base: string): boolean {
  return conventionFiles[base]?.includes(".tsx") ?? false;
}
