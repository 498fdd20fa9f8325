/**
 * Finds files that would be convention files under another name: the names of other frameworks, and
 * slips such as `pages.ts`. Their routes would otherwise be missing without a word.
 *
 * @module
 */
import { appFolder, conventionFiles, middlewareExports, routeMethods } from "@fw/fw/conventions";
import type { CheckOptions } from "./convention_file.ts";
import { startOfFile } from "./problem.ts";
import type { AppFolder } from "./scan.ts";

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
    const base = baseOf(name, { folder, store: options.store });
    if (base === undefined) continue;
    const wanted = base + (name.endsWith("x") && takesJsx(base) ? ".tsx" : ".ts");
    const file = `${folder.path}/${name}`;
    const text = texts.badFileName(name, wanted);
    problems.push({ file, ...startOfFile, code: "E_BAD_FILE_NAME", ...text });
  }
}

/** The convention that a file was probably meant for. */
function baseOf(
  name: string,
  place: { readonly folder: AppFolder; readonly store: CheckOptions["store"] },
): string | undefined {
  const [, written = ""] = /^(.+)\.[jt]sx?$/.exec(name) ?? [];
  const foreign = foreignNames.get(written);
  if (foreign !== undefined) return foreign;
  const { folder, store } = place;
  const bases = looseNames.get(written)?.filter((base) => isFree(base, folder)) ?? [];
  if (bases.length === 0) return undefined;
  const exports = store.read(`${folder.path}/${name}`);
  if (exports === undefined || exports.faults.length > 0) return undefined;
  // A file that only passes on what others declare gathers helpers.
  return bases.find((base) =>
    signs[base]?.some((sign) => {
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
