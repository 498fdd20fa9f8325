/**
 * Determines what the bundles of islands contain.
 *
 * @module
 */
import { islandsFolder } from "@fw/fw/conventions";
import { join, toFileUrl } from "@std/path";
import { createHash } from "node:crypto";
import { isSpecialFile } from "../project/files/look.ts";
import { ManifestError, readManifest } from "../project/manifest.ts";
import type { IslandFile } from "../project/routes/islands.ts";
import {
  type GraphModule,
  type ModuleGraph,
  pathInProject,
  readModuleGraph,
} from "../project/sources/graph.ts";

export interface IslandInputs {
  /** The fingerprint of an island's inputs, by source. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** The project's files that the bundles contain, relative to it, with `/`. */
  readonly files: ReadonlySet<string>;
}

/** The number of characters kept of a digest: 72 bits. */
const fingerprintChars = 12;

/**
 * Reads the inputs of the bundles: the sources, everything they import, package versions, and the
 * JSX settings of the compiler.
 *
 * @param root The project, absolute.
 * @returns `undefined` if the imports cannot be read.
 */
export async function readIslandInputs(
  root: string,
  islands: readonly IslandFile[],
): Promise<IslandInputs | undefined> {
  const urls = new Map(islands.map(({ source }) => [source, toFileUrl(join(root, source)).href]));
  // One process for all islands: a module that imports each of them.
  const code = [...urls.values()].map((url) => `import ${JSON.stringify(url)};`).join("");
  const [graph, settings] = await Promise.all([
    readModuleGraph(root, `data:text/javascript,${encodeURIComponent(code)}`),
    readSettings(root),
  ]);
  if (graph === undefined) return undefined;
  const files = new Set<string>();
  const digests = new Map<string, string>();
  const fingerprints = new Map<string, string>();
  for (const [source, url] of urls) {
    const modules = graph.closure([url]);
    const lines = [settings, ...modules.flatMap((module) => describe(module, { root, graph }))];
    fingerprints.set(source, digestOf(lines.sort().join("\n")).slice(0, fingerprintChars));
    for (const { file } of modules) {
      const path = file === undefined ? undefined : pathInProject(root, file);
      if (path !== undefined) files.add(path);
    }
  }
  return { fingerprints, files };

  /** Returns one line for each input that a module stands for. */
  function describe(
    module: GraphModule,
    place: { readonly root: string; readonly graph: ModuleGraph },
  ): readonly string[] {
    if (module.npmPackage !== undefined) {
      return [module.specifier, ...place.graph.packages(module.npmPackage)];
    }
    // A published version of a registry does not change.
    if (module.file === undefined || !module.specifier.startsWith("file:")) {
      return [module.specifier];
    }
    const name = pathInProject(place.root, module.file) ?? module.specifier;
    return [`${name} ${digestOfFile(module.file)}`];
  }

  function digestOfFile(file: string): string {
    let digest = digests.get(file);
    if (digest === undefined) {
      digest = digestOf(readBytes(file));
      digests.set(file, digest);
    }
    return digest;
  }
}

function digestOf(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("base64url");
}

function readBytes(file: string): Uint8Array {
  try {
    return isSpecialFile(file) ? new Uint8Array() : Deno.readFileSync(file);
  } catch {
    // Removed since it was listed: the bundler reports it.
    return new Uint8Array();
  }
}

/**
 * Reads the compiler options of the project and of the islands, which may be a workspace member.
 */
async function readSettings(root: string): Promise<string> {
  const folders = [root, join(root, islandsFolder)];
  const options = await Promise.all(folders.map(async (folder) => {
    try {
      return (await readManifest(folder))["compilerOptions"] ?? null;
    } catch (error) {
      if (error instanceof ManifestError) return null;
      throw error;
    }
  }));
  return JSON.stringify(options);
}
