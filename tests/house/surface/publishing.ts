/**
 * The files that `deno publish` includes: every module and text asset that a published module
 * imports must be among them, and `deno publish` does not notice a missing asset.
 */
import type { Manifest } from "../../../tools/workspace.ts";
import { type ImportGraph, resolveImport } from "../layers/layers.ts";

/** Whether the manifest's `publish` block includes the path, relative to the manifest. */
export function isPublished(path: string, publish: Manifest["publish"]): boolean {
  const { include, exclude = [] } = publish ?? {};
  const isIncluded = include === undefined || include.some((pattern) => covers(pattern, path));
  return isIncluded && !exclude.some((pattern) => covers(pattern, path));
}

function covers(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (!plain.includes("*")) return path === plain || path.startsWith(`${plain}/`);
  const escaped = plain.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const expression = escaped.replace(/\*\*\/|\*\*|\*/g, (stars) => {
    return stars === "*" ? "[^/]*" : stars === "**" ? ".*" : "(.*/)?";
  });
  return new RegExp(`^${expression}$`).test(path);
}

/**
 * Lists the published files that import an unpublished file.
 *
 * @param graph The files of the packages, paths relative to the root.
 * @param options.publish The `publish` block.
 * @param options.folder Where the manifest lies, `""` or `"cli"`.
 */
export function findUnpublished(
  graph: ImportGraph,
  options: { publish: Manifest["publish"]; folder: string },
): string[] {
  const { publish, folder } = options;
  const prefix = folder === "" ? "" : `${folder}/`;
  const isInside = (path: string): boolean => path.startsWith(prefix);
  const isTaken = (path: string): boolean => isPublished(path.slice(prefix.length), publish);
  return [...graph].filter(([path]) => isInside(path) && isTaken(path)).flatMap(
    ([path, imports]) =>
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier, line }) => ({ line, target: resolveImport(path, specifier) }))
        .filter(({ target }) => !isInside(target) || !isTaken(target))
        .map(({ line, target }) => `${path}:${line} imports ${target}, which is not published`),
  );
}
