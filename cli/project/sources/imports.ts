/**
 * What the application imports.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { join, toFileUrl } from "@std/path";
import { pathInProject, readModuleGraph } from "./graph.ts";

/**
 * Lists the files that the application imports, data included; types alone do not count.
 *
 * @param root The project, absolute.
 * @returns The files below the project, relative to it, with `/`; none when the imports cannot be read.
 */
export async function importedFiles(root: string): Promise<ReadonlySet<string>> {
  const graph = await readModuleGraph(root, generatedFile, { remote: false });
  const entry = toFileUrl(join(root, generatedFile)).href;
  const files = graph?.closure([entry]).flatMap(({ file }) =>
    file === undefined ? [] : pathInProject(root, file) ?? []
  );
  return new Set(files);
}
