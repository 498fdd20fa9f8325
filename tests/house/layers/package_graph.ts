/** The import graph of the packages in the workspace. */
import { join } from "@std/path";
import { listPackageFiles, root } from "../../../tools/workspace.ts";
import { type FoundImport, parseImports } from "./imports.ts";
import type { ImportGraph } from "./layers.ts";

let reading: Promise<ImportGraph> | undefined;

/** Reads the imports of every TypeScript file of the packages, once for all tests of a worker. */
export async function readGraph(): Promise<ImportGraph> {
  return await (reading ??= parsePackages());
}

async function parsePackages(): Promise<ImportGraph> {
  const graph = new Map<string, FoundImport[]>();
  for (const path of await listPackageFiles()) {
    graph.set(path, parseImports(await Deno.readTextFile(join(root, path)), path));
  }
  return graph;
}

export function graphOf(files: Record<string, string>): ImportGraph {
  const parsed = Object.entries(files).map(([path, source]) =>
    [path, parseImports(source, path)] as const
  );
  return new Map(parsed);
}
