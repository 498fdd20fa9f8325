/**
 * Reads the module graph with `deno info`.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { join, relative, SEPARATOR, toFileUrl } from "@std/path";
import { runDeno } from "../process/deno.ts";

export interface GraphModule {
  /** The URL. */
  readonly specifier: string;
  /** The file on disk, absolute; `undefined` if it is not a file. */
  readonly file: string | undefined;
  /** The npm package of the module, such as `preact@10.29.8`. */
  readonly npmPackage: string | undefined;
  /** The URLs of its imports, without type-only imports. */
  readonly imports: readonly string[];
}

export interface ModuleGraph {
  /** Returns the modules reachable from these, themselves included. */
  closure(specifiers: readonly string[]): readonly GraphModule[];
  /** Returns the packages that a package depends on, itself included. */
  packages(id: string): readonly string[];
}

interface InfoDependency {
  readonly code?: { readonly specifier?: string };
}

interface InfoModule {
  readonly specifier: string;
  readonly local?: string;
  readonly npmPackage?: string;
  readonly dependencies?: readonly InfoDependency[];
}

interface Info {
  readonly modules?: readonly InfoModule[];
  readonly redirects?: Readonly<Record<string, string>>;
  readonly npmPackages?: Readonly<Record<string, { readonly dependencies?: readonly string[] }>>;
}

/**
 * Reads the module graph of an entry.
 *
 * @param root The project, absolute.
 * @param entry A path relative to the project, or a URL.
 * @param options `remote`: whether remote modules are fetched. @default true
 * @returns The graph; `undefined` if it cannot be read.
 */
export async function readModuleGraph(
  root: string,
  entry: string,
  options: { readonly remote?: boolean } = {},
): Promise<ModuleGraph | undefined> {
  const { remote = true } = options;
  const flags = remote ? [] : ["--no-remote"];
  const { code, stdout } = await runDeno(["info", "--json", ...flags, entry], { cwd: root });
  return code === 0 ? graphOf(JSON.parse(stdout)) : undefined;
}

function graphOf({ modules = [], redirects = {}, npmPackages = {} }: Info): ModuleGraph {
  const byUrl = new Map(modules.map((module) => [module.specifier, toModule(module)]));
  return {
    closure: (specifiers) => {
      const found = new Map<string, GraphModule>();
      const open = [...specifiers];
      for (let url = open.pop(); url !== undefined; url = open.pop()) {
        const module = byUrl.get(redirects[url] ?? url);
        if (module === undefined || found.has(module.specifier)) continue;
        found.set(module.specifier, module);
        open.push(...module.imports);
      }
      return [...found.values()];
    },
    packages: (id) => {
      const found = new Set([id]);
      for (const each of found) {
        for (const inner of npmPackages[each]?.dependencies ?? []) found.add(inner);
      }
      return [...found];
    },
  };
}

function toModule({ specifier, local, npmPackage, dependencies = [] }: InfoModule): GraphModule {
  const imports = dependencies.flatMap(({ code }) => code?.specifier ?? []);
  return { specifier, file: local, npmPackage, imports };
}

/** Returns the path of a file relative to the project, with `/`; `undefined` if it lies outside. */
export function pathInProject(root: string, file: string): string | undefined {
  const path = relative(root, file).replaceAll(SEPARATOR, "/");
  return path.startsWith("..") ? undefined : path;
}

/**
 * Lists the files that the application imports, data included, without type-only imports.
 *
 * @param root The project, absolute.
 * @returns The files, relative to the project, with `/`; none if the imports cannot be read.
 */
export async function importedFiles(root: string): Promise<ReadonlySet<string>> {
  const graph = await readModuleGraph(root, generatedFile, { remote: false });
  const entry = toFileUrl(join(root, generatedFile)).href;
  const files = graph?.closure([entry]).flatMap(({ file }) =>
    file === undefined ? [] : pathInProject(root, file) ?? []
  );
  return new Set(files);
}
