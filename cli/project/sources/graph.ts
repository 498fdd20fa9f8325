import { generatedFile } from "@fw/fw/conventions";
import { join, relative, SEPARATOR, toFileUrl } from "@std/path";
import { runForeign } from "../process/foreign.ts";

export interface GraphModule {
  readonly specifier: string;
  readonly file: string | undefined;
  /** The URLs of its imports, without type-only imports. */
  readonly imports: readonly string[];
  /** The URL of each import by its specifier, type-only imports included. */
  readonly resolved: ReadonlyMap<string, string>;
}

export interface GraphPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly dependencies: readonly string[];
}

export interface ModuleGraph {
  module(url: string): GraphModule | undefined;
  readonly npm: ReadonlyMap<string, GraphPackage>;
  /** Returns the modules reachable from these, themselves included. */
  closure(specifiers: readonly string[]): readonly GraphModule[];
}

export async function readModuleGraph(
  root: string,
  entry: string,
  { remote = true }: { readonly remote?: boolean } = {},
): Promise<ModuleGraph | undefined> {
  const flags = remote ? [] : ["--no-remote"];
  const { code, stdout } = await runForeign(["info", "--json", ...flags, entry], { cwd: root });
  return code === 0 ? parseGraph(JSON.parse(stdout)) : undefined;
}

function parseGraph({ modules = [], redirects = {}, npmPackages = {} }: {
  readonly modules?: readonly {
    readonly specifier: string;
    readonly local?: string;
    readonly dependencies?: readonly {
      readonly specifier: string;
      readonly code?: { readonly specifier?: string };
      readonly type?: { readonly specifier?: string };
    }[];
  }[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<
    Record<
      string,
      Pick<GraphPackage, "name" | "version"> & {
        readonly localPath?: string;
        readonly dependencies?: readonly string[];
      }
    >
  >;
}): ModuleGraph {
  const byUrl = new Map(modules.map(({ specifier, local, dependencies = [] }) => {
    const imports = dependencies.flatMap(({ code }) => code?.specifier ?? []);
    const resolved = new Map(dependencies.flatMap(({ specifier: written, type, code }) => {
      const url = type?.specifier ?? code?.specifier;
      return url === undefined ? [] : [[written, url] as const];
    }));
    return [specifier, { specifier, file: local, imports, resolved }];
  }));
  const module = (url: string): GraphModule | undefined => byUrl.get(redirects[url] ?? url);
  const packages = Object.entries(npmPackages).map(([id, each]) => {
    const { name, version, localPath: folder = "", dependencies = [] } = each;
    return [id, { name, version, folder, dependencies }] as const;
  });
  return {
    module,
    npm: new Map(packages),
    closure: (specifiers) => {
      const found = new Map<string, GraphModule>();
      const open = [...specifiers];
      for (let url = open.pop(); url !== undefined; url = open.pop()) {
        const next = module(url);
        if (next === undefined || found.has(next.specifier)) continue;
        found.set(next.specifier, next);
        open.push(...next.imports);
      }
      return [...found.values()];
    },
  };
}

export function pathInProject(root: string, file: string): string | undefined {
  const path = relative(root, file).replaceAll(SEPARATOR, "/");
  return path.startsWith("..") ? undefined : path;
}

/** Returns the project's files that some of its modules import, themselves included. */
export function filesOf(
  graph: ModuleGraph | undefined,
  root: string,
  paths: readonly string[],
): Set<string> {
  const modules = graph?.closure(paths.map((path) => toFileUrl(join(root, path)).href)) ?? [];
  return new Set(
    modules.flatMap(({ file }) => file === undefined ? [] : pathInProject(root, file) ?? []),
  );
}

export async function importedFiles(root: string): Promise<ReadonlySet<string>> {
  const graph = await readModuleGraph(root, generatedFile, { remote: false });
  return filesOf(graph, root, [generatedFile]);
}
