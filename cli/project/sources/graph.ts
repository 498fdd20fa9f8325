/**
 * What modules import, as `deno info` tells.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { join, relative, SEPARATOR, toFileUrl } from "@std/path";
import { runDeno } from "../process/deno.ts";

/** One module. */
export interface GraphModule {
  /** Its URL. */
  readonly specifier: string;
  /** Where it lies on disk, absolute; `undefined` for what is no file. */
  readonly file: string | undefined;
  /** The package that it belongs to, such as `preact@10.29.8`. */
  readonly npmPackage: string | undefined;
  /** The URLs of what its code imports; imports of types alone are left out. */
  readonly imports: readonly string[];
}

/** The modules that some code consists of. */
export interface ModuleGraph {
  /** Every module that the code of these consists of, themselves included. */
  closure(specifiers: readonly string[]): readonly GraphModule[];
  /** The packages that a package consists of, itself included. */
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
 * Reads what modules import.
 *
 * @param root The project, absolute.
 * @param entry The module at which to start: a path relative to the project, or a URL.
 * @param options `remote`: whether modules that lie on another machine are looked for. @default true
 * @returns The graph; `undefined` where it cannot be read.
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

/** The path of a file relative to the project, with `/`; `undefined` for one outside. */
export function pathInProject(root: string, file: string): string | undefined {
  const path = relative(root, file).replaceAll(SEPARATOR, "/");
  return path.startsWith("..") ? undefined : path;
}

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
