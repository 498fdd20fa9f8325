import { generatedFile } from "@fw/fw/conventions";
import { join, relative, SEPARATOR, toFileUrl } from "@std/path";
import { runForeign } from "../process/foreign.ts";

/** A module, as `deno info` describes it. */
export interface GraphModule {
  readonly specifier: string;
  readonly local?: string;
  readonly dependencies?: readonly {
    readonly specifier: string;
    /** Absent for a type-only import. */
    readonly code?: { readonly specifier?: string };
    readonly type?: { readonly specifier?: string };
  }[];
}

export interface GraphPackage {
  readonly name: string;
  readonly version: string;
  readonly localPath?: string;
  readonly dependencies?: readonly string[];
}

export interface ModuleGraph {
  module(url: string): GraphModule | undefined;
  readonly npm: ReadonlyMap<string, GraphPackage>;
}

/** Reads the graph of many files through a module that imports them all; `undefined` on import errors. */
export async function readModuleGraph(
  root: string,
  paths: readonly string[],
  flags: readonly string[] = [],
): Promise<ModuleGraph | undefined> {
  const entry = await Deno.makeTempFile({ prefix: "fw-graph-", suffix: ".js" });
  try {
    const lines = paths.map((path) => `import ${JSON.stringify(urlOfFile(root, path))};\n`);
    await Deno.writeTextFile(entry, lines.join(""));
    const args = ["info", "--json", ...flags, toFileUrl(entry).href];
    const { code, stdout } = await runForeign(args, { cwd: root });
    return code === 0 ? toGraph(JSON.parse(stdout)) : undefined;
  } finally {
    await Deno.remove(entry);
  }
}

function toGraph({ modules = [], redirects = {}, npmPackages = {} }: {
  readonly modules?: readonly GraphModule[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<Record<string, GraphPackage>>;
}): ModuleGraph {
  const byUrl = new Map(modules.map((each) => [each.specifier, each]));
  return {
    module: (url) => byUrl.get(redirects[url] ?? url),
    npm: new Map(Object.entries(npmPackages)),
  };
}

function urlOfFile(root: string, path: string): string {
  return toFileUrl(join(root, path)).href;
}

export function pathInProject(root: string, file: string): string | undefined {
  const path = relative(root, file).replaceAll(SEPARATOR, "/");
  return /^\.\.(?:\/|$)/.test(path) ? undefined : path;
}

/** Reports whether a path of the project leads out of it through a link. */
export function leavesProject(root: string, path: string): boolean {
  try {
    return pathInProject(Deno.realPathSync(root), Deno.realPathSync(join(root, path))) ===
      undefined;
  } catch {
    // The file does not exist.
    return false;
  }
}

/** Returns the project's files that some of its modules import, themselves included. */
export function filesOf(
  graph: ModuleGraph | undefined,
  root: string,
  paths: readonly string[],
): Set<string> {
  const modules = new Set(paths.map((path) => graph?.module(urlOfFile(root, path))));
  // The loop also visits the modules that it adds.
  for (const each of modules) {
    for (const { code } of each?.dependencies ?? []) {
      modules.add(graph?.module(code?.specifier ?? ""));
    }
  }
  return new Set(
    [...modules].flatMap((each) => each?.local && pathInProject(root, each.local) || []),
  );
}

export async function importedFiles(root: string): Promise<ReadonlySet<string>> {
  return filesOf(await readModuleGraph(root, [generatedFile], ["--no-remote"]), root, [
    generatedFile,
  ]);
}
